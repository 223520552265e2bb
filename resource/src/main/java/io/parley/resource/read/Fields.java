package io.parley.resource.read;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object, handed out by name. A reader asks for every field that it knows; whatever it never asked for is a
 * fault, since a misspelt field of a policy must not be ignored (unless another program has let it pass). A null counts as absent.
 *
 * <p>Reading goes on after a fault so that all of them are found at once. What could not be read is replaced by a stand-in, and
 * the value that is built from it is thrown away.
 */
public final class Fields {
    private final ObjectNode tree;
    private final Path path;
    private final Dialect dialect;
    private final Faults faults;
    private final Set<String> known = new LinkedHashSet<>();
    private final Set<String> taken = new LinkedHashSet<>();

    private Fields(ObjectNode tree, Path path, Dialect dialect, Faults faults) {
        this.tree = tree;
        this.path = path;
        this.dialect = dialect;
        this.faults = faults;
    }

    /** Reads one object whole. */
    public static <S> Result<S> read(ObjectNode tree, Path path, Dialect dialect, Function<Fields, S> reader) {
        Faults faults = new Faults();
        S value = read(tree, path, dialect, faults, reader);
        return faults.isEmpty() ? new Result.Accepted<>(value) : new Result.Rejected<>(faults.found());
    }

    /** Reads one object that is part of something larger, which gathers the faults. */
    public static <S> S read(ObjectNode tree, Path path, Dialect dialect, Faults faults, Function<Fields, S> reader) {
        Fields fields = new Fields(tree, path, dialect, faults);
        S value = reader.apply(fields);
        if (faults.areUnknownFields()) {
            fields.reportUnknown();
        }
        return value;
    }

    /** What a reader makes of nothing at all. */
    static <S> S standIn(Function<Fields, S> reader) {
        return reader.apply(
                new Fields(JsonNodeFactory.instance.objectNode(), Path.ROOT, Dialect.PLAIN, Faults.ignored()));
    }

    public Field at(String name) {
        known.add(name);
        String written = written(name);
        JsonNode node = tree.get(written);
        taken.add(written);
        return new Field(node == null || node.isNull() ? null : node, path.field(written), dialect, faults);
    }

    public boolean has(String name) {
        return tree.hasNonNull(written(name));
    }

    public boolean hasAny(String... names) {
        return Arrays.stream(names).anyMatch(this::has);
    }

    /** A field that the kind has, but not here. */
    public void refuse(String name, String reason) {
        if (at(name).isPresent()) {
            fail(name, "not allowed here (" + reason + ")");
        }
    }

    /** Fields that may be there and mean nothing to us. */
    public void ignore(String... names) {
        for (String name : names) {
            var _ = at(name);
        }
    }

    public void needAnyOf(String... names) {
        if (!hasAny(names)) {
            fail("none of " + String.join(", ", names) + " (expected: at least one)");
        }
    }

    /** The one of them that is there; the first of them, and a fault, if there is none or more than one. */
    public String needOneOf(String... names) {
        List<String> present = Arrays.stream(names).filter(this::has).toList();
        if (present.size() != 1) {
            String found = present.isEmpty() ? "none" : String.join(", ", present);
            fail(found + " (expected: exactly one of " + String.join(", ", names) + ")");
        }
        return present.isEmpty() ? names[0] : present.getFirst();
    }

    /** Reads the one field that is there, each with its own reader. */
    public <T> T requireOneOf(Map<String, Function<Fields, T>> readers) {
        String[] names = readers.keySet().toArray(String[]::new);
        String name = needOneOf(names);
        ignore(names);
        T value = at(name).object(requireNonNull(readers.get(name)));
        return value == null ? standIn(requireNonNull(readers.get(name))) : value;
    }

    /**
     * Reads a value that stands in one of several fields; the field {@code type} says in which.
     *
     * @param fieldOf the field of a type
     */
    public <E extends Enum<E>, T> T requireByType(
            Choices<E> choices, Function<E, String> fieldOf, BiFunction<E, Fields, T> reader) {
        E type = at("type").choice(choices);
        if (type == null) {
            var _ = at("type").requireChoice(choices);
            choices.all().forEach(each -> ignore(fieldOf.apply(each)));
            return standIn(fields -> reader.apply(choices.any(), fields));
        }
        choices.all().stream()
                .filter(other -> other != type)
                .forEach(other -> refuse(fieldOf.apply(other), "the type is another"));
        return at(fieldOf.apply(type)).requireObject(fields -> reader.apply(type, fields));
    }

    public void allowOneOf(String... names) {
        List<String> present = Arrays.stream(names).filter(this::has).toList();
        if (present.size() > 1) {
            fail(String.join(", ", present) + " (expected: only one of them)");
        }
    }

    /** All fields that nobody asked for so far, as an object of their own. */
    public ObjectNode rest() {
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        tree.properties().forEach(field -> {
            if (taken.add(field.getKey())) {
                rest.set(field.getKey(), field.getValue());
            }
        });
        return rest;
    }

    public void fail(String message) {
        faults.add(path, message);
    }

    public void fail(String name, String message) {
        faults.add(path.field(written(name)), message);
    }

    /** All of it, as it is. */
    ObjectNode tree() {
        return tree;
    }

    public Path path() {
        return path;
    }

    /** Whether it comes from a store, where some release of this program has let it in. */
    public boolean isStored() {
        return !faults.areUnknownFields();
    }

    public Faults faults() {
        return faults;
    }

    private String written(String name) {
        if (dialect == Dialect.PROTOBUF && !tree.has(name)) {
            String snake = snakeCase(name);
            return tree.has(snake) ? snake : name;
        }
        return name;
    }

    /** As protobuf spells fields; by hand, since it is asked for each field of each document. */
    private static String snakeCase(String name) {
        StringBuilder snake = new StringBuilder(name.length() + 4);
        for (int at = 0; at < name.length(); at++) {
            char c = name.charAt(at);
            if (c >= 'A' && c <= 'Z') {
                snake.append('_').append((char) (c - 'A' + 'a'));
            } else {
                snake.append(c);
            }
        }
        return snake.toString();
    }

    private void reportUnknown() {
        List<String> unknown = new ArrayList<>();
        tree.fieldNames().forEachRemaining(name -> {
            if (!taken.contains(name)) {
                unknown.add(name);
            }
        });
        unknown.forEach(name -> faults.add(path.field(name), "unknown field (expected: " + hint(name) + ")"));
    }

    private String hint(String name) {
        if (known.isEmpty()) {
            return "no fields";
        }
        @Nullable String meant = Spelling.closest(name, known).orElse(null);
        return meant == null ? "one of " + String.join(", ", known) : meant;
    }
}
