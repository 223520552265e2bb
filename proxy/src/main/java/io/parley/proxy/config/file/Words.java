package io.parley.proxy.config.file;

import io.parley.resource.read.Choices;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The words of an enum as files write them: {@code PROXY_PROTOCOL} is {@code proxyProtocol}. */
final class Words {
    private Words() {}

    static <E extends Enum<E>> Choices<E> of(Class<E> type) {
        return Choices.by(List.of(type.getEnumConstants()), Words::word);
    }

    static String word(Enum<?> constant) {
        String capitalised = Arrays.stream(constant.name().split("_"))
                .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
        return Character.toLowerCase(capitalised.charAt(0)) + capitalised.substring(1);
    }
}
