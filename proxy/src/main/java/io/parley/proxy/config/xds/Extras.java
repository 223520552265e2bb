package io.parley.proxy.config.xds;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a resource says to Parley's proxies beyond Envoy's fields: its metadata under {@value #KEY}. */
record Extras(Struct fields, String path) {
    static final String KEY = "io.parley";

    static Extras of(Metadata metadata, String at) {
        return new Extras(
                metadata.getFilterMetadataOrDefault(KEY, Struct.getDefaultInstance()),
                (at.isEmpty() ? "" : at + ".") + "metadata[" + KEY + "]");
    }

    @Nullable
    String text(String name, Reading reading) {
        Value value = fields.getFieldsMap().get(name);
        if (value == null) {
            return null;
        }
        if (value.getKindCase() != Value.KindCase.STRING_VALUE) {
            reading.fail(path + "." + name, value.getKindCase() + " (expected: a string)");
            return null;
        }
        return plain(name, value.getStringValue(), reading);
    }

    private String plain(String name, String text, Reading reading) {
        if (Subset.hasControl(text)) {
            reading.fail(path + "." + name, text + " (expected: no control character)");
        }
        return text;
    }

    String textOr(String name, String absent, Reading reading) {
        String text = text(name, reading);
        return text == null ? absent : text;
    }

    /** A port; 0 if there is none. */
    int port(String name, Reading reading) {
        Value value = fields.getFieldsMap().get(name);
        if (value == null) {
            return 0;
        }
        double number = value.getNumberValue();
        if (number < 1 || number > 65535 || number != Math.rint(number)) {
            reading.fail(path + "." + name, shown(value) + " (expected: a port)");
            return 0;
        }
        return (int) number;
    }

    List<String> texts(String name, Reading reading) {
        Value value = fields.getFieldsMap().get(name);
        if (value == null) {
            return List.of();
        }
        boolean texts = value.hasListValue()
                && value.getListValue().getValuesList().stream().allMatch(Value::hasStringValue);
        if (!texts) {
            reading.fail(path + "." + name, shown(value) + " (expected: a list of strings)");
            return List.of();
        }
        return value.getListValue().getValuesList().stream()
                .map(item -> plain(name, item.getStringValue(), reading))
                .toList();
    }

    private static String shown(Value value) {
        return value.toString().strip();
    }
}
