package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Violation;
import io.parley.resource.manifest.ManifestReader;
import io.parley.resource.manifest.Manifests;
import io.parley.resource.manifest.StatusField;
import io.parley.resource.text.Syntax;
import java.util.List;

/** The manifests in the body of a request, in JSON or YAML; of a {@code PUT} it must be one, the resource that the path names. */
final class ManifestBody {
    private static final ManifestReader READER = new ManifestReader(StatusField.DROP);

    private ManifestBody() {}

    static Resource read(AggregatedHttpRequest request, ResourceKey key) {
        return only(all(request, key + " is not valid; nothing was stored."), key);
    }

    /** Every manifest of a body, or a problem that begins with these words. */
    static List<Resource> all(AggregatedHttpRequest request, String otherwise) {
        Manifests manifests = READER.read(request.content().array(), syntax(request.contentType()));
        return switch (manifests) {
            case Manifests.Good(List<Resource> resources) -> resources;
            case Manifests.Faulty faulty ->
                throw Problem.invalid(
                                otherwise,
                                faulty.problems().stream()
                                        .map(io.parley.resource.manifest.Problem::violation)
                                        .toList())
                        .asException();
        };
    }

    private static Resource only(List<Resource> resources, ResourceKey key) {
        if (resources.size() != 1) {
            throw Problem.invalid("body: " + resources.size() + " resources (expected: one, " + key + ")", List.of())
                    .asException();
        }
        Resource resource = resources.getFirst();
        if (!resource.key().equals(key)) {
            throw Problem.invalid(
                            "The path and the body name different resources.",
                            List.of(new Violation("", resource.key() + " (expected: " + key + ", as in the path)")))
                    .asException();
        }
        return resource;
    }

    private static Syntax syntax(@org.jspecify.annotations.Nullable MediaType type) {
        if (type == null || type.isJson()) {
            return Syntax.JSON;
        }
        // A form is what curl -d says of any body; the reader of YAML takes JSON too.
        if (type.subtype().endsWith("yaml") || type.is(MediaType.FORM_DATA)) {
            return Syntax.YAML;
        }
        throw Problem.of(
                        HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                        "media-type",
                        "Not in this format",
                        "content-type: " + type + " (expected: application/json or application/yaml)")
                .asException();
    }
}
