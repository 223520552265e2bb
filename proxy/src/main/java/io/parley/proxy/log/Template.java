package io.parley.proxy.log;

import io.parley.resource.Result;
import io.parley.resource.Violation;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A text with commands in Envoy's notation: {@code %NAME%}, {@code %NAME(ARGUMENT)%}, {@code %NAME(ARGUMENT):LENGTH%}; {@code %%} is a
 * percent sign.
 */
public record Template(List<Part> parts) {
    private static final Pattern COMMAND = Pattern.compile("%([A-Z][A-Z_0-9]*)(?:\\(([^)]*)\\))?(?::([0-9]{1,6}))?%");
    private static final Pattern FIELD =
            Pattern.compile("(:?[!#$&'*+.^_`|~A-Za-z0-9-]+)(?:\\?(:?[!#$&'*+.^_`|~A-Za-z0-9-]+))?");
    private static final String ABSENT = "-";

    /** A piece of a template. */
    sealed interface Part {
        /** As it stands. */
        record Literal(String text) implements Part {}

        /** Something that is known of every request. */
        record Known(Fact fact) implements Part {}

        /** When it began. */
        record Start(DateTimeFormatter format) implements Part {}

        /**
         * A header field.
         *
         * @param otherwise the one that is taken if there is none of that name; null if nothing is
         */
        record Field(Head head, String name, @Nullable String otherwise) implements Part {}

        /** No more than so many characters of it. */
        record Cut(Part part, int length) implements Part {}
    }

    /** Whose fields. */
    enum Head {
        REQUEST,
        ANSWER
    }

    /** What becomes of values that are not there. */
    public enum Absence {
        /** They are written as such: {@code -}, and in JSON as null. */
        SHOWN,
        OMITTED
    }

    public Template {
        parts = List.copyOf(parts);
    }

    /** Reads a template, or says everything that is wrong with it. */
    public static Result<Template> parse(String text) {
        List<Part> parts = new ArrayList<>();
        List<Violation> violations = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        Matcher command = COMMAND.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (text.charAt(at) != '%') {
                literal.append(text.charAt(at++));
            } else if (text.startsWith("%%", at)) {
                literal.append('%');
                at += 2;
            } else if (command.region(at, text.length()).lookingAt()) {
                if (!literal.isEmpty()) {
                    parts.add(new Part.Literal(literal.toString()));
                    literal.setLength(0);
                }
                parts.add(part(command, problem -> violations.add(new Violation("", problem))));
                at = command.end();
            } else {
                violations.add(new Violation(
                        "",
                        "a lone % at character " + at + " (expected: %NAME%, %NAME(ARGUMENT)%, or %% for the sign)"));
                at++;
            }
        }
        if (!literal.isEmpty()) {
            parts.add(new Part.Literal(literal.toString()));
        }
        return violations.isEmpty() ? new Result.Accepted<>(new Template(parts)) : new Result.Rejected<>(violations);
    }

    private static Part part(Matcher command, Consumer<String> problems) {
        String name = command.group(1);
        String argument = command.group(2);
        Part whole = switch (name) {
            case "REQ" -> field(Head.REQUEST, command.group(), argument, problems);
            case "RESP" -> field(Head.ANSWER, command.group(), argument, problems);
            case "START_TIME" -> new Part.Start(TimeFormat.of(argument == null ? "" : argument, problems));
            default -> fact(name, argument, problems);
        };
        return command.group(3) == null ? whole : new Part.Cut(whole, Integer.parseInt(command.group(3)));
    }

    private static Part fact(String name, @Nullable String argument, Consumer<String> problems) {
        Fact known = Stream.of(Fact.values())
                .filter(fact -> fact.name().equals(name))
                .findFirst()
                .orElse(null);
        if (known == null) {
            problems.accept("%" + name + "% is not understood (expected: REQ, RESP, START_TIME or one of "
                    + List.of(Fact.values()) + ")");
        } else if (argument != null) {
            problems.accept("%" + name + "(" + argument + ")% (expected: no argument)");
        }
        return new Part.Known(known == null ? Fact.PROTOCOL : known);
    }

    private static Part field(Head head, String command, @Nullable String argument, Consumer<String> problems) {
        Matcher names = FIELD.matcher(argument == null ? "" : argument);
        if (!names.matches()) {
            problems.accept(command + " (expected: the name of a field, or NAME?OTHERWISE)");
            return new Part.Literal("");
        }
        String otherwise = names.group(2);
        return new Part.Field(
                head,
                names.group(1).toLowerCase(Locale.ROOT),
                otherwise == null ? null : otherwise.toLowerCase(Locale.ROOT));
    }

    /** Names of the fields of this head that it asks for. */
    Stream<String> fields(Head head) {
        return parts.stream()
                .map(part -> part instanceof Part.Cut(var whole, var _) ? whole : part)
                .flatMap(part -> part instanceof Part.Field(var of, var name, var otherwise) && of == head
                        ? Stream.concat(Stream.of(name), Stream.ofNullable(otherwise))
                        : Stream.empty());
    }

    /** Writes it. What a client can have said is escaped, so that nothing in it can end a line or a quotation. */
    void write(Entry entry, Absence absence, StringBuilder out) {
        for (Part part : parts) {
            if (part instanceof Part.Literal(var text)) {
                out.append(text);
                continue;
            }
            switch (value(part, entry)) {
                case null -> out.append(absence == Absence.OMITTED ? "" : ABSENT);
                case Long number -> out.append(number.longValue());
                case Object text -> Escapes.append(text.toString(), out);
            }
        }
    }

    /** Its value where values have types: a number or null only if one command is all there is of it. */
    @Nullable
    Object typed(Entry entry, Absence absence) {
        return parts.size() == 1 ? value(parts.getFirst(), entry) : text(entry, absence);
    }

    /** Its value as it is, where nothing in it can do harm. */
    public String text(Entry entry, Absence absence) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            Object value = value(part, entry);
            text.append(value != null ? value : absence == Absence.OMITTED ? "" : ABSENT);
        }
        return text.toString();
    }

    private static @Nullable Object value(Part part, Entry entry) {
        return switch (part) {
            case Part.Literal(var text) -> text;
            case Part.Known(var fact) -> fact.of(entry);
            case Part.Start(var format) -> format.format(entry.start());
            case Part.Field(var head, var name, var otherwise) -> {
                var fields = head == Head.REQUEST
                        ? entry.fields().request()
                        : entry.fields().answer();
                String value = fields.get(name);
                yield value == null && otherwise != null ? fields.get(otherwise) : value;
            }
            case Part.Cut(var whole, var length) -> {
                Object value = value(whole, entry);
                yield value instanceof String text && text.length() > length ? text.substring(0, length) : value;
            }
        };
    }
}
