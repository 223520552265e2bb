package io.parley.resource.policy.accesslog;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.policy.Addresses;
import io.parley.resource.policy.BackendResource;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.List;
import java.util.Map;
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
     *
     * @param body any JSON value
     */
    public record OpenTelemetry(
            @Nullable String endpoint,
            @Nullable BackendResource backendRef,
            List<Attribute> attributes,
            @Nullable JsonNode body)
            implements Backend {}

    /** Something that is added to an entry. */
    public record Attribute(String key, String value) {}

    private enum Type {
        TCP,
        FILE,
        OPEN_TELEMETRY
    }

    private static final Choices<Type> TYPES = Choices.camelCase(Type.class);
    private static final Map<Type, String> FIELDS =
            Map.of(Type.TCP, "tcp", Type.FILE, "file", Type.OPEN_TELEMETRY, "openTelemetry");
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
        Type type = fields.at("type").requireChoice(TYPES);
        FIELDS.forEach((other, name) -> {
            if (other != type) {
                fields.refuse(name, "the type is another");
            }
        });
        return switch (type) {
            case TCP ->
                fields.at("tcp")
                        .requireObject(tcp -> new Tcp(
                                tcp.at("address").requireText("host:port", Addresses::isHostAndPort),
                                tcp.at("format").object(Format::read)));
            case FILE ->
                fields.at("file")
                        .requireObject(file -> new File(
                                file.at("path").requireText("an absolute path", path -> path.startsWith("/")),
                                file.at("format").object(Format::read)));
            case OPEN_TELEMETRY -> fields.at("openTelemetry").requireObject(AccessLog::openTelemetry);
        };
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
                fields.at("body").any());
    }
}
