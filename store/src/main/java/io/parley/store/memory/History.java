package io.parley.store.memory;

import io.parley.store.Event;
import io.parley.store.Retention;
import io.parley.store.Revision;
import io.parley.store.Watch;
import io.parley.store.engine.HistoryReader.End;
import io.parley.store.engine.HistoryReader.Piece;
import io.parley.store.engine.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The events of the last commits, by revision. Guarded by its store's lock. */
final class History {
    private static final int PIECE = 500;

    private final NavigableMap<Revision, List<Event>> commits = new TreeMap<>();
    private final Retention retention;
    private Revision head = Revision.START;
    private Revision oldest = Revision.START;
    private long events;
    private long bytes;

    History(Retention retention) {
        this.retention = retention;
    }

    Revision head() {
        return head;
    }

    void append(Revision revision, List<Event> commit) {
        commits.put(revision, commit);
        head = revision;
        events += commit.size();
        bytes += weight(commit);
        while (commits.size() > 1 && (events > retention.maxEvents() || bytes > retention.maxBytes())) {
            var dropped = commits.pollFirstEntry();
            oldest = dropped.getKey();
            events -= dropped.getValue().size();
            bytes -= weight(dropped.getValue());
        }
    }

    Piece after(Revision revision) {
        if (revision.compareTo(oldest) < 0 || revision.isAfter(head)) {
            return new Piece(new Watch.TooOld(oldest), End.REACHED);
        }
        var found = new ArrayList<Event>();
        Revision through = revision;
        for (var commit : commits.tailMap(revision, false).entrySet()) {
            if (found.size() >= PIECE) {
                return new Piece(new Watch.Events(found, through), End.MORE);
            }
            found.addAll(commit.getValue());
            through = commit.getKey();
        }
        return new Piece(found.isEmpty() ? new Watch.Nothing() : new Watch.Events(found, through), End.REACHED);
    }

    private static long weight(List<Event> commit) {
        return commit.stream().mapToLong(Weight::of).sum();
    }
}
