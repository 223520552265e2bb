package io.parley.proxy.log;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.proxy.log.Template.Absence;
import java.util.List;
import java.util.stream.Stream;

/** How an entry becomes a line. */
public sealed interface LineFormat {
    /** As the template says, with the end of a line only if the template has one. */
    record Text(Template template, Absence absence) implements LineFormat {}

    /** An object of JSON on a line of its own. */
    record Json(List<Member> members, Absence absence) implements LineFormat {
        public Json {
            members = List.copyOf(members);
        }
    }

    /** A value with a name. */
    record Member(String name, Template value) {}

    /** All templates in it. */
    default Stream<Template> templates() {
        return switch (this) {
            case Text(var template, var _) -> Stream.of(template);
            case Json(var members, var _) -> members.stream().map(Member::value);
        };
    }

    /** Writes an entry. */
    default void write(Entry entry, StringBuilder out) {
        switch (this) {
            case Text(var template, var absence) -> template.write(entry, absence, out);
            case Json(var members, var absence) ->
                out.append(object(members, absence, entry)).append('\n');
        }
    }

    private static ObjectNode object(List<Member> members, Absence absence, Entry entry) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (Member member : members) {
            switch (member.value.typed(entry, absence)) {
                case Long number -> object.put(member.name, number);
                case null -> {
                    if (absence == Absence.SHOWN) {
                        object.putNull(member.name);
                    }
                }
                case Object text -> object.put(member.name, text.toString());
            }
        }
        return object;
    }
}
