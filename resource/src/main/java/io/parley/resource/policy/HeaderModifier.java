package io.parley.resource.policy;

import io.parley.resource.Violation;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Changes to headers, at most one for each. */
public record HeaderModifier(List<Header> set, List<Header> add, List<String> remove) {
    private static final int MOST = 16;

    /** A header and its value. */
    public record Header(String name, String value) {}

    public HeaderModifier {
        set = List.copyOf(set);
        add = List.copyOf(add);
        remove = List.copyOf(remove);
    }

    public static HeaderModifier read(Fields fields) {
        return read(fields, new Names(Field::fail));
    }

    /** The same of what a store holds: {@code framing} is told of names that frame a message, which earlier releases let in. */
    public static HeaderModifier readStored(Fields fields, Consumer<Violation> framing) {
        return read(
                fields,
                new Names((field, message) ->
                        framing.accept(new Violation(field.path().text(), message))));
    }

    private static HeaderModifier read(Fields fields, Names names) {
        fields.needAnyOf("set", "add", "remove");
        return new HeaderModifier(
                headers(fields.at("set"), names),
                headers(fields.at("add"), names),
                limited(fields.at("remove"), fields.at("remove").list(names::read)));
    }

    /** Where nothing is taken away. */
    public static HeaderModifier readWithoutRemoval(Fields fields) {
        fields.needAnyOf("set", "add");
        Names names = new Names(Field::fail);
        return new HeaderModifier(headers(fields.at("set"), names), headers(fields.at("add"), names), List.of());
    }

    private static List<Header> headers(Field field, Names names) {
        return limited(
                field,
                field.objects(header -> new Header(
                        names.read(header.at("name")),
                        header.at("value")
                                .requireText(
                                        "printable text",
                                        text -> text.chars().allMatch(HeaderModifier::isPrintable)))));
    }

    /** RFC 9110 5.5; what is above is not for all to read, and our proxies send none. */
    private static boolean isPrintable(int c) {
        return c == '\t' || (c >= ' ' && c != 0x7f && c <= 0xff);
    }

    /** Those that have been read. */
    private record Names(BiConsumer<Field, String> framing, Set<String> seen) {
        Names(BiConsumer<Field, String> framing) {
            this(framing, new HashSet<>());
        }

        String read(Field field) {
            String name = Headers.name(field);
            String same = name.toLowerCase(Locale.ROOT);
            if (FramingFields.has(name)) {
                framing.accept(field, name + " (expected: none of " + FramingFields.names() + ")");
            } else if (!name.isEmpty() && !seen.add(same)) {
                field.fail(name + " again (expected: one change for each header)");
            }
            return name;
        }
    }

    private static <T> List<T> limited(Field field, List<T> items) {
        if (items.size() > MOST) {
            field.fail(items.size() + " items (expected: at most " + MOST + ")");
        }
        return items;
    }
}
