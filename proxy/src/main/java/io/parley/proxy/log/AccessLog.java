package io.parley.proxy.log;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each request and each connection. Lines are made and written by a thread of their own, so that neither a slow disk or
 * terminal nor the making of a text takes an event loop's time; when it cannot keep up, lines are dropped and counted.
 */
public final class AccessLog implements AutoCloseable {
    /** How a line is written. */
    public enum Format {
        TEXT,
        JSON
    }

    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final AtomicLong dropped = new AtomicLong();
    private final Format format;
    private final PrintStream out;
    private final Backlog<Supplier<Map<String, Object>>> told;

    public AccessLog(Format format, PrintStream out) {
        this.format = format;
        this.out = out;
        this.told = new Backlog<>("access-log", this::write, left -> {
            out.flush();
            dropped.addAndGet(left);
        });
    }

    /** Has a line written with these names and values, which are asked for later, on another thread. */
    public void log(Supplier<Map<String, Object>> fields) {
        if (!told.offer(fields)) {
            dropped.incrementAndGet();
        }
    }

    public long dropped() {
        return dropped.get();
    }

    private void write(List<Supplier<Map<String, Object>>> some) {
        StringBuilder lines = new StringBuilder();
        some.forEach(one -> line(one.get(), lines));
        out.print(lines);
        out.flush();
    }

    private void line(Map<String, Object> fields, StringBuilder out) {
        switch (format) {
            case TEXT -> text(fields, out);
            case JSON -> out.append(json(fields));
        }
        out.append(System.lineSeparator());
    }

    /** {@code key=value} pairs. A value with anything unusual in it is quoted as in JSON, so that a line is always one line. */
    static void text(Map<String, Object> fields, StringBuilder out) {
        String separator = "";
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            String value = String.valueOf(field.getValue());
            out.append(separator).append(field.getKey()).append('=').append(isPlain(value) ? value : quoted(value));
            separator = " ";
        }
    }

    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean usual = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!usual && "._:/@[]-".indexOf(c) < 0) {
                return false;
            }
        }
        return !value.isEmpty();
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
        told.end();
        if (!told.await(PATIENCE)) {
            LOG.warn("the access log's last lines are lost: nobody took them");
        }
    }
}
