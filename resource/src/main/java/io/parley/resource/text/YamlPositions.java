package io.parley.resource.text;

import io.parley.resource.read.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;

/**
 * Finds the lines on which paths stand, by walking the text once more. Trees keep no positions: most texts have no faults, and
 * those that have can be read twice.
 */
public final class YamlPositions {
    /** One path of one document. */
    public record Place(int document, String path) {
        /** What the place is part of; the document has no parent. */
        Optional<Place> parent() {
            if (path.isEmpty()) {
                return Optional.empty();
            }
            String opening = path.endsWith("\"]") ? "[\"" : path.endsWith("]") ? "[" : ".";
            return Optional.of(new Place(document, path.substring(0, Math.max(0, path.lastIndexOf(opening)))));
        }
    }

    /** A mapping or a sequence that is being walked through. */
    private static final class Level {
        private final Path path;
        private final boolean mapping;
        private int items;
        private @Nullable String key;

        Level(Path path, boolean mapping) {
            this.path = path;
            this.mapping = mapping;
        }

        /** The path of the value that starts here, or nothing if it is a key. */
        Optional<Path> next(NodeEvent event) {
            if (!mapping) {
                return Optional.of(path.item(items++));
            }
            if (key == null) {
                key = event instanceof ScalarEvent scalar ? scalar.getValue() : "";
                return Optional.empty();
            }
            Path value = path.field(key);
            key = null;
            return Optional.of(value);
        }
    }

    private final Set<Place> wanted = new HashSet<>();
    private final Map<Place, Position> found = new HashMap<>();
    private final Deque<Level> levels = new ArrayDeque<>();
    private int document = -1;
    private @Nullable Position keyAt;

    private YamlPositions(Set<Place> places) {
        for (Place place : places) {
            for (Optional<Place> each = Optional.of(place);
                    each.isPresent();
                    each = each.get().parent()) {
                wanted.add(each.get());
            }
        }
    }

    /** Where each place stands, or what it is part of if it is not there at all. */
    public static Map<Place, Position> find(String text, Set<Place> places) {
        YamlPositions positions = new YamlPositions(places);
        try {
            YamlTrees.refuseLongLines(text);
            positions.walk(YamlTrees.parserOf(text));
        } catch (YAMLException | TextFault _) {
            // What comes before the fault was seen; nothing after it was read the first time either.
        }
        Map<Place, Position> all = new HashMap<>();
        places.forEach(place -> positions.nearest(place).ifPresent(at -> all.put(place, at)));
        return all;
    }

    private Optional<Position> nearest(Place place) {
        Optional<Place> each = Optional.of(place);
        while (each.isPresent() && !found.containsKey(each.get())) {
            each = each.get().parent();
        }
        return each.map(found::get);
    }

    private void walk(Parser parser) {
        while (parser.peekEvent() != null && levels.size() <= Limits.YAML_DEPTH) {
            Event event = parser.getEvent();
            switch (event) {
                case DocumentStartEvent _ -> document++;
                case CollectionEndEvent _ -> levels.pop();
                case NodeEvent node -> enter(node);
                default -> {}
            }
        }
    }

    private void enter(NodeEvent event) {
        Level level = levels.peek();
        Optional<Path> path = level == null ? Optional.of(Path.ROOT) : level.next(event);
        Position at = YamlTrees.positionOf(event.getStartMark());
        path.ifPresent(value -> {
            Place place = new Place(document, value.text());
            if (wanted.contains(place)) {
                // A field stands where its name does, which is where people look for it.
                found.putIfAbsent(place, level != null && level.mapping && keyAt != null ? keyAt : at);
            }
        });
        keyAt = path.isEmpty() ? at : null;
        if (event instanceof MappingStartEvent || event instanceof SequenceStartEvent) {
            levels.push(new Level(path.orElse(Path.ROOT), event instanceof MappingStartEvent));
        }
    }
}
