package io.parley.resource.read;

import io.parley.resource.Violation;
import java.util.ArrayList;
import java.util.List;

/** Gathers what is wrong while a document is read. Stops writing down at a limit, since a stranger decides how much is wrong. */
public final class Faults {
    private static final int MOST = 100;

    private final List<Violation> found = new ArrayList<>();
    private int left = MOST;

    /** Notes nothing: for reading a stand-in for something that is missing and was reported as such. */
    static Faults ignored() {
        Faults faults = new Faults();
        faults.left = 0;
        return faults;
    }

    public void add(Path path, String message) {
        if (left > 0) {
            found.add(new Violation(path.text(), message));
            left--;
        }
    }

    public List<Violation> found() {
        return List.copyOf(found);
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }
}
