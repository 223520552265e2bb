package io.parley.proxy.inject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Insertions into a YAML or JSON text. Where the text is in blocks so is what is inserted, and where it is in braces it is in braces. */
final class YamlEdits {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A line that ends with the sign of a key, before which there may be those of items and values that begin there. */
    private static final Pattern SIGNS = Pattern.compile("[-:? ]*\\?");

    /** YAML that means what it should, written in a way into which nothing can be put. */
    private static final class Unusual extends MarkedYAMLException {
        Unusual(String what, Node where) {
            super(null, null, what + " (expected: key: value)", where.getStartMark());
        }
    }

    private final String text;
    private final List<Insertion> insertions = new ArrayList<>();

    /**
     * Text that is put in.
     *
     * @param until where the text goes on that was there before; the same place, unless something is replaced
     */
    private record Insertion(int at, int until, String text) {}

    YamlEdits(String text) {
        this.text = text;
    }

    /** Puts an entry before all others of a mapping. */
    void addFirst(MappingNode mapping, String key, Object value) {
        if (isFlow(mapping)) {
            insertInside(mapping, json(key) + ": " + json(value));
        } else {
            Node first = mapping.getValue().getFirst().getKeyNode();
            if (isBehindItsSign(offset(first.getStartMark()))) {
                throw new Unusual("a key behind a ?", first);
            }
            insertLines(first, block(Map.of(key, value)));
        }
    }

    /** Puts a value where a key has none, be it nothing at all, {@code null} or {@code ~}. */
    void fill(NodeTuple entry, Object value) {
        Node nothing = entry.getValueNode();
        int from = offset(nothing.getStartMark());
        int until = offset(nothing.getEndMark());
        if (text.substring(offset(entry.getKeyNode().getEndMark()), from).indexOf(':') < 0) {
            throw new Unusual("a key without a colon", entry.getKeyNode());
        }
        boolean apart = from > 0 && text.charAt(from - 1) != ':';
        insertions.add(new Insertion(from, until, (apart ? "" : " ") + json(value)));
    }

    /** Puts another value in the place of one. */
    void replace(ScalarNode old, Object value) {
        insertions.add(new Insertion(offset(old.getStartMark()), offset(old.getEndMark()), json(value)));
    }

    /** Puts items before all others of a sequence. */
    void addFirst(SequenceNode sequence, List<?> items) {
        if (isFlow(sequence)) {
            String inside = json(items);
            insertInside(sequence, inside.substring(1, inside.length() - 1));
        } else {
            insertLines(sequence, block(items));
        }
    }

    /** Whether a key has a question mark before it, on its line or alone on a line before. */
    private boolean isBehindItsSign(int key) {
        String before = text.substring(0, key).stripTrailing();
        String line = before.substring(before.lastIndexOf('\n') + 1);
        return SIGNS.matcher(line).matches();
    }

    private static boolean isFlow(CollectionNode<?> node) {
        return node.getFlowStyle() == FlowStyle.FLOW || node.getValue().isEmpty();
    }

    private void insertInside(CollectionNode<?> node, String inserted) {
        int at = offset(node.getStartMark()) + 1;
        insertions.add(new Insertion(at, at, node.getValue().isEmpty() ? inserted : inserted + ", "));
    }

    /** Before the line, or behind the dash, that a block begins with. */
    private void insertLines(Node first, String lines) {
        int column = first.getStartMark().getColumn();
        String next = lineEnd() + " ".repeat(column);
        int at = offset(first.getStartMark());
        insertions.add(new Insertion(at, at, lines.stripTrailing().replace("\n", next) + next));
    }

    /** As the text's first line ends. */
    private String lineEnd() {
        int end = text.indexOf('\n');
        return end > 0 && text.charAt(end - 1) == '\r' ? "\r\n" : "\n";
    }

    private int offset(Mark mark) {
        return text.offsetByCodePoints(0, mark.getIndex());
    }

    private static String block(Object value) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setSplitLines(false);
        return new Yaml(options).dump(value);
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps, lists and strings can be written", e);
        }
    }

    /** The text with all insertions; those at one place in the order in which they were made. */
    String apply() {
        StringBuilder result = new StringBuilder();
        int from = 0;
        insertions.sort(Comparator.comparingInt(Insertion::at));
        for (Insertion insertion : insertions) {
            result.append(text, from, insertion.at()).append(insertion.text());
            from = insertion.until();
        }
        return result.append(text, from, text.length()).toString();
    }
}
