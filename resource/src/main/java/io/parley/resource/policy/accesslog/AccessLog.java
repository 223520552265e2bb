package io.parley.resource.policy.accesslog;

import io.parley.resource.policy.Addresses;
import io.parley.resource.policy.BackendResource;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a MeshAccessLog sets.
 *
 * @param backends where entries go; none turns logging off
 */
public record AccessLog(List<Backend> backends) {
    /** Where entries go. */
    public sealed interface Backend {}

    /** To a listener. */
    public record Tcp(String address, @Nullable Format format) implements Backend {}

    /** To the end of a file. */
    public record File(String path, @Nullable Format format) implements Backend {}

    /**
     * To a collector: an address, or a resource that knows it.
     */
    public record OpenTelemetry(
            @Nullable String endpoint,
            @Nullable BackendResource backendRef,
            List<Attribute> attributes,
            @Nullable LogBody body)
            implements Backend {}

    /** Something that is added to an entry. */
    public record Attribute(String key, String value) {}

    private enum Type {
        TCP("tcp"),
        FILE("file"),
        OPEN_TELEMETRY("openTelemetry");

        private final String field;

        Type(String field) {
            this.field = field;
        }
    }

    private static final Choices<Type> TYPES = Choices.camelCase(Type.class);
    private static final Pattern ATTRIBUTE = Pattern.compile("[a-z]([a-z0-9]|[._][a-z0-9])*+");

    public AccessLog {
        backends = List.copyOf(backends);
    }

    static AccessLog read(Fields fields) {
        Field backends = fields.at("backends");
        if (!backends.isPresent()) {
            backends.fail("missing (expected: a list, empty to turn logging off)");
        }
        return new AccessLog(backends.objects(AccessLog::backend));
    }

    private static Backend backend(Fields fields) {
        return fields.requireByType(TYPES, type -> type.field, (type, inner) -> switch (type) {
            case TCP ->
                new Tcp(
                        inner.at("address").requireText("host:port", Addresses::isHostAndPort),
                        inner.at("format").object(Format::read));
            case FILE ->
                new File(
                        inner.at("path").requireText("an absolute path", path -> path.startsWith("/")),
                        inner.at("format").object(Format::read));
            case OPEN_TELEMETRY -> openTelemetry(inner);
        });
    }

    private static OpenTelemetry openTelemetry(Fields fields) {
        var _ = fields.needOneOf("endpoint", "backendRef");
        return new OpenTelemetry(
                fields.at("endpoint").text("host:port", Addresses::isHostAndPort),
                fields.at("backendRef").object(BackendResource::read),
                fields.at("attributes")
                        .objects(attribute -> new Attribute(
                                attribute
                                        .at("key")
                                        .requireText(
                                                "lower case words joined by '.' or '_'",
                                                key -> ATTRIBUTE.matcher(key).matches()),
                                attribute.at("value").requireText("text", text -> true))),
                LogBody.read(fields.at("body")));
    }
}
