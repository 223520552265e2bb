package io.parley.xds.client;

import io.parley.xds.client.WatchEvent.Absent;
import io.parley.xds.client.WatchEvent.AmbientError;
import io.parley.xds.client.WatchEvent.Changed;
import java.util.ArrayList;
import java.util.List;

/** A watcher that remembers, in short form: {@code +name@version}, {@code -name KIND}, {@code !name KIND}. */
final class Events<T> implements Watcher<T> {
    private final List<String> seen = new ArrayList<>();
    private final List<WatchEvent<T>> events = new ArrayList<>();
    private int answers;

    @Override
    public void on(WatchEvent<T> event) {
        events.add(event);
        seen.add(
                switch (event) {
                    case Changed<T>(String name, T _, String version) -> "+" + name + "@" + version;
                    case Absent<T>(String name, Trouble because) -> "-" + name + " " + because.kind();
                    case AmbientError<T>(String name, Trouble trouble) -> "!" + name + " " + trouble.kind();
                });
    }

    @Override
    public void settled() {
        answers++;
    }

    List<String> seen() {
        return List.copyOf(seen);
    }

    int answers() {
        return answers;
    }

    /** The value of the last change. */
    T value() {
        return events.reversed().stream()
                .filter(Changed.class::isInstance)
                .map(event -> ((Changed<T>) event).value())
                .findFirst()
                .orElseThrow();
    }

    /** The trouble of the last event. */
    Trouble trouble() {
        return switch (events.getLast()) {
            case Changed<T> changed -> throw new AssertionError(changed.toString());
            case Absent<T>(String _, Trouble because) -> because;
            case AmbientError<T>(String _, Trouble trouble) -> trouble;
        };
    }
}
