package io.parley.proxy.telemetry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One line for each connection. Lines are written by a thread of their own, so that a slow disk or terminal never stops an event
 * loop; when it cannot keep up, lines are dropped and counted.
 */
public final class AccessLog implements AutoCloseable {
    /** How a line is written. */
    public enum Format {
        TEXT,
        JSON
    }

    private static final int QUEUE = 8_192;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/@\\[\\]-]+");
    private static final String END = "";

    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicLong dropped = new AtomicLong();
    private final Format format;
    private final Thread writer;

    public AccessLog(Format format, PrintStream out) {
        this.format = format;
        this.writer = Thread.ofPlatform().daemon().name("access-log").start(() -> write(out));
    }

    public void log(Map<String, Object> fields) {
        if (!lines.offer(format == Format.JSON ? json(fields) : text(fields))) {
            dropped.incrementAndGet();
        }
    }

    public long dropped() {
        return dropped.get();
    }

    private void write(PrintStream out) {
        try {
            for (String line = lines.take(); !line.equals(END); line = lines.take()) {
                out.println(line);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.flush();
    }

    /** {@code key=value} pairs. A value with anything unusual in it is quoted as in JSON, so that a line is always one line. */
    static String text(Map<String, Object> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + plainOrQuoted(String.valueOf(field.getValue())))
                .collect(Collectors.joining(" "));
    }

    private static String plainOrQuoted(String value) {
        return PLAIN.matcher(value).matches() ? value : quoted(value);
    }

    private static String quoted(String value) {
        return TextNode.valueOf(value).toString();
    }

    static String json(Map<String, Object> fields) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        fields.forEach((name, value) -> {
            if (value instanceof Long number) {
                tree.put(name, number);
            } else {
                tree.put(name, String.valueOf(value));
            }
        });
        return tree.toString();
    }

    /** Writes what is left and stops. */
    @Override
    public void close() {
        try {
            lines.put(END);
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
