package io.parley.resource.policy;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.WireText;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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
        fields.needAnyOf("set", "add", "remove");
        Names names = new Names(new HashSet<>());
        return new HeaderModifier(
                headers(fields.at("set"), names),
                headers(fields.at("add"), names),
                limited(fields.at("remove"), fields.at("remove").list(names::readRemoved)));
    }

    /** Where nothing is taken away. */
    public static HeaderModifier readWithoutRemoval(Fields fields) {
        fields.needAnyOf("set", "add");
        Names names = new Names(new HashSet<>());
        return new HeaderModifier(headers(fields.at("set"), names), headers(fields.at("add"), names), List.of());
    }

    private static List<Header> headers(Field field, Names names) {
        return limited(
                field,
                field.objects(header -> new Header(
                        names.read(header.at("name")),
                        header.at("value")
                                .requireText("printable text without blanks at its ends", WireText::isFieldValue))));
    }

    /** Those that have been read. */
    private record Names(Set<String> seen) {
        String read(Field field) {
            String name = Headers.name(field);
            String same = name.toLowerCase(Locale.ROOT);
            if (FramingFields.has(name)) {
                field.fail(name + " (expected: none of " + FramingFields.names() + ")");
            } else if (!name.isEmpty() && !seen.add(same)) {
                field.fail(name + " again (expected: one change for each header)");
            }
            return name;
        }

        /** A request without a host is malformed (RFC 9110 7.2), and nobody's to send on. */
        String readRemoved(Field field) {
            String name = read(field);
            if (name.equalsIgnoreCase("host")) {
                field.fail(name + " (expected: another header, as each request has a host)");
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
