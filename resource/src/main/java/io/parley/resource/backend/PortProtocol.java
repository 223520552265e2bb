package io.parley.resource.backend;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

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

    private static final Map<String, Function<Fields, Protocol>> PROTOCOLS = protocols();

    static PortProtocol read(Fields fields) {
        Port port = port(fields.at("port"));
        return new PortProtocol(port, fields.requireOneOf(PROTOCOLS));
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
    private static Protocol http2(Fields fields) {
        var _ = fields.needOneOf("encrypted", "cleartext");
        boolean encrypted = fields.at("encrypted").flagOr(false);
        boolean cleartext = fields.at("cleartext").flagOr(!encrypted);
        return cleartext ? Protocol.H2C : Protocol.H2;
    }

    private static Map<String, Function<Fields, Protocol>> protocols() {
        Map<String, Function<Fields, Protocol>> readers = new LinkedHashMap<>();
        readers.put("http1", _ -> Protocol.HTTP1);
        readers.put("http2", PortProtocol::http2);
        readers.put("grpc", _ -> Protocol.GRPC);
        readers.put("websocket", _ -> Protocol.WEBSOCKET);
        return readers;
    }

    @Override
    public String toString() {
        return protocol + " on port " + port;
    }
}
