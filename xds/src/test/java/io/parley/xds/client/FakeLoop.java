package io.parley.xds.client;

import io.parley.xds.client.loop.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** A loop on the test's own thread, whose time only the test moves. */
public final class FakeLoop implements Loop {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Alarm> alarms = new ArrayList<>();
    private long now = 1_000_000_000L;
    private boolean running;

    private record Alarm(long at, Runnable task) {}

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (!running) {
            running = true;
            try {
                for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                    next.run();
                }
            } finally {
                running = false;
            }
        }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(now + delay.toNanos(), task);
        alarms.add(alarm);
        return () -> alarms.removeIf(other -> other.equals(alarm));
    }

    @Override
    public boolean isCurrent() {
        return running;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    /** Moves time on, and runs what is due on the way. */
    public void advance(Duration by) {
        long target = now + by.toNanos();
        for (Optional<Alarm> next = next(target); next.isPresent(); next = next(target)) {
            alarms.remove(next.get());
            now = next.get().at();
            execute(next.get().task());
        }
        now = target;
    }

    /** How many timers are running. */
    public int pending() {
        return alarms.size();
    }

    private Optional<Alarm> next(long until) {
        return alarms.stream().filter(alarm -> alarm.at() <= until).min(Comparator.comparingLong(Alarm::at));
    }
}
