package io.parley.resource.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Trees to YAML that reads the same under YAML 1.1 and 1.2: what either would take for something else is put in quotes. */
public final class YamlWriter {
    private static final ImplicitTuple PLAIN = new ImplicitTuple(true, true);
    private static final ImplicitTuple QUOTED = new ImplicitTuple(false, true);

    private static final String ESCAPED = "\u2028\u2029\uFEFF";

    private final Resolver yaml11 = new Resolver();
    private final Emitter emitter;

    private YamlWriter(StringWriter out) {
        DumperOptions options = new DumperOptions();
        options.setSplitLines(false);
        options.setIndicatorIndent(0);
        this.emitter = new Emitter(out, options);
    }

    /** One document, ending in a new line, without a marker before or after it. */
    public static String write(JsonNode tree) {
        StringWriter out = new StringWriter();
        YamlWriter writer = new YamlWriter(out);
        try {
            writer.emitter.emit(new StreamStartEvent(null, null));
            writer.emitter.emit(new DocumentStartEvent(null, null, false, null, null));
            writer.node(tree);
            writer.emitter.emit(new DocumentEndEvent(null, null, false));
            writer.emitter.emit(new StreamEndEvent(null, null));
        } catch (IOException e) {
            throw new IllegalStateException("memory could not be written to", e);
        }
        return out.toString();
    }

    private void node(JsonNode node) throws IOException {
        if (node.isObject()) {
            emitter.emit(new MappingStartEvent(null, null, true, null, null, style(node)));
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                text(field.getKey());
                node(field.getValue());
            }
            emitter.emit(new MappingEndEvent(null, null));
        } else if (node.isArray()) {
            emitter.emit(new SequenceStartEvent(null, null, true, null, null, style(node)));
            for (JsonNode item : node) {
                node(item);
            }
            emitter.emit(new SequenceEndEvent(null, null));
        } else if (node.isTextual()) {
            text(node.textValue());
        } else {
            emitter.emit(new ScalarEvent(null, null, PLAIN, node.toString(), null, null, ScalarStyle.PLAIN));
        }
    }

    private void text(String text) throws IOException {
        boolean ambiguous = CoreSchema.needsQuotes(text)
                || !yaml11.resolve(NodeId.scalar, text, true).equals(Tag.STR);
        ScalarStyle style = styleOf(text, ambiguous);
        boolean plain = style == ScalarStyle.PLAIN;
        emitter.emit(new ScalarEvent(null, null, plain ? PLAIN : QUOTED, text, null, null, style));
    }

    private static ScalarStyle styleOf(String text, boolean ambiguous) {
        // Only quotes can escape characters that YAML takes for line breaks or drops.
        if (text.chars().anyMatch(c -> c != '\n' && (Character.isISOControl(c) || ESCAPED.indexOf(c) >= 0))) {
            return ScalarStyle.DOUBLE_QUOTED;
        }
        if (text.indexOf('\n') >= 0) {
            return ScalarStyle.LITERAL;
        }
        return ambiguous ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN;
    }

    private static FlowStyle style(JsonNode node) {
        return node.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
    }
}
