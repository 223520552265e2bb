package io.parley.resource.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;

/**
 * Builds trees straight from the parser's events, so that every limit is checked before anything is allocated, and no code is
 * there that could construct a Java type that a tag names.
 */
final class YamlTrees {
    /** A value that an alias may repeat, and what each repetition costs. */
    private record Anchored(JsonNode tree, int nodes) {}

    private final Parser parser;
    private final Budget budget = new Budget();
    private final Map<String, Anchored> anchors = new HashMap<>();
    private final List<TextDocument> documents = new ArrayList<>();
    private int index;

    private YamlTrees(String text) {
        this.parser = parserOf(text);
    }

    static Parser parserOf(String text) {
        return QuestionMarks.parserOf(text, new LoaderOptions());
    }

    static List<TextDocument> read(String text) {
        YamlTrees trees = new YamlTrees(text);
        try {
            refuseLongLines(text);
            trees.readAll();
        } catch (TextFault fault) {
            trees.documents.add(fault.in(trees.index));
        } catch (YAMLException e) {
            trees.documents.add(faultOf(e).in(trees.index));
        }
        return trees.documents;
    }

    static void refuseLongLines(String text) {
        int line = 1;
        for (int start = 0, end; start < text.length(); start = end + 1, line++) {
            int newLine = text.indexOf('\n', start);
            end = newLine < 0 ? text.length() : newLine;
            if (end - start > Limits.LINE_LENGTH) {
                throw TextFault.ofText(
                        "a line of " + (end - start) + " characters (expected: at most " + Limits.LINE_LENGTH + ")",
                        new Position(line, 1));
            }
        }
    }

    private void readAll() {
        parser.getEvent();
        while (parser.checkEvent(Event.ID.DocumentStart)) {
            parser.getEvent();
            anchors.clear();
            readDocument();
            index++;
        }
    }

    private void readDocument() {
        try {
            JsonNode tree = node(0);
            if (!tree.isNull()) {
                documents.add(new TextDocument.Read(index, tree));
            }
        } catch (TextFault fault) {
            if (fault.isFatal()) {
                throw fault;
            }
            documents.add(fault.in(index));
            skipDocument();
        }
        parser.getEvent();
    }

    /** Goes to the end of the document. The parser gets slow with depth, so here too there is a limit. */
    private void skipDocument() {
        int depth = 0;
        while (!parser.checkEvent(Event.ID.DocumentEnd)) {
            Event event = parser.getEvent();
            depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
            if (depth > Limits.YAML_DEPTH) {
                throw tooDeep(positionOf(event.getStartMark()));
            }
            budget.takeNodes(1, positionOf(event.getStartMark()));
        }
    }

    private JsonNode node(int depth) {
        Event event = parser.getEvent();
        Position at = positionOf(event.getStartMark());
        if (depth > Limits.YAML_DEPTH) {
            throw tooDeep(at);
        }
        budget.takeNodes(1, at);
        return switch (event) {
            case AliasEvent alias -> repeated(alias, at);
            case ScalarEvent scalar -> {
                refuseTag(scalar.getTag(), at);
                yield remembered(scalar, scalar(scalar, at), 1);
            }
            case SequenceStartEvent start -> {
                refuseTag(start.getTag(), at);
                int before = budget.nodesLeft();
                ArrayNode items = sequence(depth);
                yield remembered(start, items, before - budget.nodesLeft());
            }
            case MappingStartEvent start -> {
                refuseTag(start.getTag(), at);
                int before = budget.nodesLeft();
                ObjectNode fields = mapping(depth);
                yield remembered(start, fields, before - budget.nodesLeft());
            }
            default -> throw new IllegalStateException("not the start of a node: " + event);
        };
    }

    private ArrayNode sequence(int depth) {
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        while (!parser.checkEvent(Event.ID.SequenceEnd)) {
            items.add(node(depth + 1));
        }
        parser.getEvent();
        return items;
    }

    private ObjectNode mapping(int depth) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            Position at = positionOf(parser.peekEvent().getStartMark());
            String key = key(parser.getEvent(), at);
            if (fields.has(key)) {
                throw TextFault.ofDocument(key + " is given twice (expected: each field once)", at);
            }
            fields.set(key, node(depth + 1));
        }
        parser.getEvent();
        return fields;
    }

    private String key(Event event, Position at) {
        budget.takeNodes(1, at);
        if (!(event instanceof ScalarEvent scalar)) {
            throw TextFault.ofDocument("a field name that is no text (expected: text)", at);
        }
        refuseTag(scalar.getTag(), at);
        if (scalar.isPlain() && scalar.getValue().equals("<<")) {
            throw TextFault.ofDocument(
                    "<< merges one mapping into another (expected: the fields written out, or an alias for a whole"
                            + " value)",
                    at);
        }
        JsonNode key = scalar(scalar, at);
        if (!key.isTextual()) {
            throw TextFault.ofDocument(scalar.getValue() + " as a field name (expected: text; put it in quotes)", at);
        }
        return key.textValue();
    }

    private static JsonNode scalar(ScalarEvent event, Position at) {
        String value = event.getValue();
        if (!Characters.areStorable(value)) {
            throw TextFault.ofDocument("half a surrogate pair or U+0000 (expected: Unicode text without it)", at);
        }
        return event.isPlain() ? CoreSchema.resolve(value, at) : TextNode.valueOf(value);
    }

    private JsonNode repeated(AliasEvent alias, Position at) {
        budget.takeAlias(at);
        Anchored anchored = anchors.get(alias.getAnchor());
        if (anchored == null) {
            throw TextFault.ofDocument("*" + alias.getAnchor() + " (expected: an anchor that ended before)", at);
        }
        budget.takeNodes(anchored.nodes(), at);
        return anchored.tree();
    }

    private JsonNode remembered(NodeEvent event, JsonNode tree, int nodes) {
        if (event.getAnchor() != null) {
            anchors.put(event.getAnchor(), new Anchored(tree, nodes));
        }
        return tree;
    }

    private static TextFault tooDeep(Position at) {
        return TextFault.ofText("too deep (expected: at most " + Limits.YAML_DEPTH + " levels)", at);
    }

    private static void refuseTag(@Nullable String tag, Position at) {
        if (tag != null) {
            throw TextFault.ofDocument("the tag " + tag + " (expected: no tags; quotes make text)", at);
        }
    }

    static Position positionOf(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static TextFault faultOf(YAMLException e) {
        if (e instanceof MarkedYAMLException marked) {
            Position at = Optional.ofNullable(marked.getProblemMark())
                    .map(YamlTrees::positionOf)
                    .orElse(null);
            return TextFault.ofText("not YAML: " + marked.getProblem(), at);
        }
        return TextFault.ofText(
                "not YAML: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                null);
    }
}
