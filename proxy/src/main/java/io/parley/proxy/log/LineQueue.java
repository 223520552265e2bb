package io.parley.proxy.log;

import io.parley.proxy.telemetry.Outflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries on their way to one place. A thread of its own makes lines of them and writes: a slow disk or a peer that does not read stops
 * no event loop and no other log. What it cannot keep up with is dropped and counted.
 */
final class LineQueue {
    /** Something to write. */
    private record Line(LineFormat format, Entry entry) {}

    private static final Logger LOG = LoggerFactory.getLogger(LineQueue.class);
    private static final int PIECE = 64 * 1_024;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final LogConfig.Place place;
    private final LineWriter writer;
    private final Outflow outflow;
    private final StringBuilder lines = new StringBuilder();
    private final Backlog<Line> backlog;
    private boolean complained;

    LineQueue(LogConfig.Place place, LineWriter writer, Outflow outflow) {
        this.place = place;
        this.writer = writer;
        this.outflow = outflow;
        this.backlog = new Backlog<>("log " + place, this::write, this::leave);
    }

    private void leave(int left) {
        outflow.dropped("given-up").add(left);
        writer.close();
    }

    /** Takes an entry, if there is room for it. Never blocks. */
    void offer(LineFormat format, Entry entry) {
        if (!backlog.offer(new Line(format, entry))) {
            outflow.dropped("queue-full").increment();
        }
    }

    private void write(List<Line> some) {
        lines.setLength(0);
        int count = 0;
        for (Line line : some) {
            line.format().write(line.entry(), lines);
            count++;
            if (lines.length() >= PIECE) {
                write(count);
                count = 0;
            }
        }
        if (count > 0) {
            write(count);
        }
    }

    /** Writes what has been made of so many entries. */
    private void write(int count) {
        byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        lines.setLength(0);
        try {
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("nobody waits for it any more");
            }
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
        backlog.end();
    }

    /** Waits until all is written, for a while; who is stuck by then is freed. */
    void await() {
        if (!backlog.await(PATIENCE)) {
            LOG.warn("access log {}: its last lines are lost: nobody took them", place);
            writer.close();
        }
    }
}
