package io.parley.resource.policy;

import io.parley.resource.read.Fields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Points at a resource that describes a collector, by name or by labels. */
public record BackendResource(String kind, @Nullable String name, Map<String, String> labels) {
    private static final String KIND = "MeshOpenTelemetryBackend";

    public static BackendResource read(Fields fields) {
        var _ = fields.needOneOf("name", "labels");
        return new BackendResource(
                fields.at("kind").requireText(KIND, KIND::equals),
                fields.at("name").text(),
                fields.at("labels").texts());
    }
}
