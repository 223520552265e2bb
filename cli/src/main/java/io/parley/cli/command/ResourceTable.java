package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Scope;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A list of resources, in either form, as rows: where, who, since when, and the labels. */
final class ResourceTable {
    private ResourceTable() {}

    static Table of(Kind kind, List<JsonNode> resources, Clock clock) {
        boolean hasSpace = kind.scope() != Scope.GLOBAL;
        List<String> header = new ArrayList<>();
        if (hasSpace) {
            header.add(kind.scope().name().toUpperCase(Locale.ROOT));
        }
        // Kinds of a mesh may come from namespaces, where the same name may be given again.
        boolean hasNamespaces = kind.scope() == Scope.MESH
                && resources.stream()
                        .anyMatch(resource -> resource.at("/metadata").has("namespace"));
        if (hasNamespaces) {
            header.add("NAMESPACE");
        }
        List<GatewayColumns.Column> own = GatewayColumns.of(kind);
        header.add("NAME");
        own.forEach(column -> header.add(column.title()));
        header.addAll(List.of("VERSION", "AGE", "LABELS"));
        Table table = new Table(header.toArray(new String[0]));
        for (JsonNode resource : resources) {
            List<String> cells = new ArrayList<>();
            if (hasSpace) {
                cells.add(space(kind, resource));
            }
            if (hasNamespaces) {
                cells.add(resource.at("/metadata/namespace").asText());
            }
            cells.add(first(resource.path("name"), resource.at("/metadata/name")));
            own.forEach(column -> cells.add(column.value().apply(resource)));
            cells.addAll(List.of(
                    first(resource.path("version"), resource.at("/metadata/resourceVersion")),
                    age(first(resource.path("creationTime"), resource.at("/metadata/creationTimestamp")), clock),
                    labels(resource)));
            table.add(cells.toArray(new String[0]));
        }
        return table;
    }

    private static String space(Kind kind, JsonNode resource) {
        if (kind.scope() == Scope.NAMESPACE) {
            return first(resource.path("namespace"), resource.at("/metadata/namespace"));
        }
        String mesh = first(
                resource.path("mesh"), resource.path("metadata").path("labels").path("kuma.io/mesh"));
        return mesh.isEmpty() ? "default" : mesh;
    }

    private static String labels(JsonNode resource) {
        JsonNode labels = resource.has("labels") ? resource.path("labels") : resource.at("/metadata/labels");
        return labels.properties().stream()
                .map(label -> label.getKey() + "=" + label.getValue().asText())
                .collect(Collectors.joining(","));
    }

    private static String first(JsonNode one, JsonNode other) {
        return one.isMissingNode() ? other.asText("") : one.asText();
    }

    /** How long ago, in the largest unit that fits: {@code 12s}, {@code 5m}, {@code 3h}, {@code 7d}. */
    static String age(String created, Clock clock) {
        try {
            Duration age = Duration.between(Instant.parse(created), clock.instant());
            if (age.toDays() > 0) {
                return age.toDays() + "d";
            }
            if (age.toHours() > 0) {
                return age.toHours() + "h";
            }
            return age.toMinutes() > 0 ? age.toMinutes() + "m" : Math.max(0, age.toSeconds()) + "s";
        } catch (DateTimeException e) {
            return "-";
        }
    }
}
