package io.parley.control.gateway.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** The texts in a Secret or ConfigMap, by name. Never shown: they may be keys. */
public record Texts(Map<String, String> byName) {
    public Texts {
        byName = Map.copyOf(byName);
    }

    static Texts read(DataName.Type type, ObjectNode document) {
        Map<String, String> texts = new TreeMap<>();
        document.path("data").properties().forEach(field -> {
            String value = field.getValue().asText();
            texts.put(field.getKey(), type == DataName.Type.SECRET ? decoded(value) : value);
        });
        document.path("stringData")
                .properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return new Texts(texts);
    }

    public String text(String name) {
        return byName.getOrDefault(name, "");
    }

    /** What is no base64 is no text, and is found missing by whoever wants it. */
    private static String decoded(String value) {
        try {
            return new String(Base64.getMimeDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return "";
        }
    }

    @Override
    public String toString() {
        return "Texts[hidden]";
    }
}
