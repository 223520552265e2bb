package io.parley.proxy.log;

import io.parley.proxy.telemetry.Outflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries on their way to one place. A thread of its own makes lines of them and writes: a slow disk or a peer that does not read stops
 * no event loop and no other log. What it cannot keep up with is dropped and counted.
 */
final class LineQueue {
    private sealed interface Item {
        /** Something to write. */
        record Line(LineFormat format, Entry entry) implements Item {}

        /** Wakes the thread to see that nothing more will come. */
        record End() implements Item {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(LineQueue.class);
    private static final int CAPACITY = 8_192;
    private static final int PIECE = 64 * 1_024;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final BlockingQueue<Item> waiting = new ArrayBlockingQueue<>(CAPACITY);
    private final LogConfig.Place place;
    private final LineWriter writer;
    private final Outflow outflow;
    private final Thread thread;
    private volatile boolean ending;
    private boolean complained;

    LineQueue(LogConfig.Place place, LineWriter writer, Outflow outflow) {
        this.place = place;
        this.writer = writer;
        this.outflow = outflow;
        this.thread = Thread.ofPlatform().daemon().name("log " + place).start(this::run);
    }

    /** Takes an entry, if there is room for it. Never blocks. */
    void offer(LineFormat format, Entry entry) {
        if (!waiting.offer(new Item.Line(format, entry))) {
            outflow.dropped("queue-full").increment();
        }
    }

    private void run() {
        StringBuilder lines = new StringBuilder();
        try {
            for (var line = next(); line != null; line = next()) {
                int count = 0;
                for (var more = line; more != null; more = lines.length() < PIECE ? waiting.poll() : null) {
                    if (more instanceof Item.Line(var format, var entry)) {
                        format.write(entry, lines);
                        count++;
                    }
                }
                if (count > 0) {
                    write(lines.toString().getBytes(StandardCharsets.UTF_8), count);
                }
                lines.setLength(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            writer.close();
        }
    }

    /** What to write next; null if there is nothing and will be nothing. */
    private @Nullable Item next() throws InterruptedException {
        return ending ? waiting.poll() : waiting.take();
    }

    private void write(byte[] bytes, int count) {
        try {
            writer.write(bytes);
            outflow.sent().add(count);
            complained = false;
        } catch (IOException e) {
            writer.close();
            outflow.dropped("write-failed").add(count);
            if (!complained) {
                complained = true;
                LOG.warn("access log {}: lines are lost: {}", place, e.toString());
            }
        }
    }

    /** Takes nothing more; what is here is still written. */
    void end() {
        ending = true;
        // If there is no room for it, the thread has work and sees for itself that this is the end.
        var _ = waiting.offer(new Item.End());
    }

    /** Waits until all is written, for a while. */
    void await() {
        try {
            if (!thread.join(PATIENCE)) {
                thread.interrupt();
                writer.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
