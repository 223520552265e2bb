package io.parley.resource.read;

import io.parley.resource.Violation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Gathers what is wrong while a document is read. Stops writing down at a limit, since a stranger decides how much is wrong. */
public final class Faults {
    private static final int MOST = 100;

    // A set: two rules may look at the same value.
    private final Set<Violation> found = new LinkedHashSet<>();
    private final int most;
    private final Unknown unknown;

    /** What a field is that no reader asks for. */
    private enum Unknown {
        FAULT,
        NOTHING
    }

    public Faults() {
        this(MOST, Unknown.FAULT);
    }

    private Faults(int most, Unknown unknown) {
        this.most = most;
        this.unknown = unknown;
    }

    /** For what another program has checked: a field that we do not know is not misspelt, but of a newer release. */
    public static Faults exceptUnknownFields() {
        return new Faults(MOST, Unknown.NOTHING);
    }

    /** Notes nothing: for reading a stand-in for something that is missing and was reported as such. */
    static Faults ignored() {
        return new Faults(0, Unknown.NOTHING);
    }

    Faults apart() {
        return new Faults(most, unknown);
    }

    boolean areUnknownFields() {
        return unknown == Unknown.FAULT;
    }

    public void add(Path path, String message) {
        if (found.size() < most) {
            found.add(new Violation(path.text(), message));
        }
    }

    public List<Violation> found() {
        return List.copyOf(found);
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }
}
