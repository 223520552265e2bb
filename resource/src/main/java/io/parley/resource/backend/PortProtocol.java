package io.parley.resource.backend;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One protocol of one port.
 *
 * @param port its number or name
 */
public record PortProtocol(Port port, Protocol protocol) {
    /** A port by number or by name. */
    public sealed interface Port {}

    /** By number. */
    public record ByNumber(int value) implements Port {
        @Override
        public String toString() {
            return Integer.toString(value);
        }
    }

    /** By the name that the Service gives it. */
    public record ByName(String value) implements Port {
        @Override
        public String toString() {
            return value;
        }
    }

    /** What is spoken. */
    public enum Protocol {
        HTTP1,
        /** HTTP/2 in clear text, known beforehand. */
        H2C,
        /** HTTP/2 in TLS. */
        H2,
        GRPC,
        WEBSOCKET
    }

    // RFC 6335 5.1, as Kubernetes has it.
    private static final Pattern NAME = Pattern.compile("(?=.*[a-z])[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?");

    static PortProtocol read(Fields fields) {
        Port port = port(fields.at("port"));
        String given = fields.needOneOf("http1", "http2", "grpc", "websocket");
        fields.ignore("http1", "http2", "grpc", "websocket");
        return new PortProtocol(
                port,
                switch (given) {
                    case "http2" -> http2(fields.at("http2"));
                    case "grpc" -> empty(fields.at("grpc"), Protocol.GRPC);
                    case "websocket" -> empty(fields.at("websocket"), Protocol.WEBSOCKET);
                    default -> empty(fields.at("http1"), Protocol.HTTP1);
                });
    }

    private static Port port(Field field) {
        if (field.isText()) {
            return new ByName(field.requireText(
                    "a port's number, or its name of at most 15 lower case letters, digits and '-'",
                    text -> NAME.matcher(text).matches()));
        }
        return new ByNumber(field.requireInteger(IntRange.PORT));
    }

    /** The document's YAML calls it {@code encrypted}, its Go type {@code Cleartext}; an empty entry would be a guess. */
    private static Protocol http2(Field field) {
        Boolean encrypted = field.object(http2 -> {
            var _ = http2.needOneOf("encrypted", "cleartext");
            @Nullable Boolean cleartext = http2.at("cleartext").flag();
            return cleartext == null ? http2.at("encrypted").flagOr(false) : !cleartext;
        });
        return encrypted != null && encrypted ? Protocol.H2 : Protocol.H2C;
    }

    /** Protocols that have no settings yet. */
    private static Protocol empty(Field field, Protocol protocol) {
        Protocol read = field.object(_ -> protocol);
        return read == null ? protocol : read;
    }

    @Override
    public String toString() {
        return protocol + " on port " + port;
    }
}
