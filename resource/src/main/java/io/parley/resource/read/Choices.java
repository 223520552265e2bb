package io.parley.resource.read;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The words that a field may hold and what each of them means. */
public final class Choices<E> {
    private final Map<String, E> byWord;

    private Choices(Map<String, E> byWord) {
        this.byWord = Collections.unmodifiableMap(byWord);
    }

    /** {@code PATH_PREFIX} is written {@code PathPrefix}. */
    public static <E extends Enum<E>> Choices<E> camelCase(Class<E> type) {
        return camelCase(List.of(type.getEnumConstants()));
    }

    public static <E extends Enum<E>> Choices<E> camelCase(Collection<E> constants) {
        return by(constants, constant -> camelCase(constant.name()));
    }

    /** {@code STRICT} is written {@code STRICT}. */
    public static <E extends Enum<E>> Choices<E> asNamed(Class<E> type) {
        return by(List.of(type.getEnumConstants()), Enum::name);
    }

    public static <E extends Enum<E>> Choices<E> by(Collection<E> constants, Function<E, String> word) {
        Map<String, E> byWord = new LinkedHashMap<>();
        constants.forEach(constant -> byWord.put(word.apply(constant), constant));
        return new Choices<>(byWord);
    }

    public Optional<E> find(String word) {
        return Optional.ofNullable(byWord.get(word));
    }

    Collection<E> all() {
        return byWord.values();
    }

    /** What stands in for a value that was not readable, in a result that will be thrown away. */
    E any() {
        return byWord.values().iterator().next();
    }

    @Override
    public String toString() {
        return String.join(", ", byWord.keySet());
    }

    private static String camelCase(String constant) {
        StringBuilder word = new StringBuilder();
        for (String part : constant.split("_", -1)) {
            word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
        }
        return word.toString();
    }
}
