package io.parley.wire.header;

import io.parley.wire.name.DnsName;
import org.jspecify.annotations.Nullable;

/**
 * What one proxy tells the next about a connection.
 *
 * @param magic how it begins on the wire
 * @param port the application port that is meant; 0 only in the document's form, where it asks for gateway handling
 * @param name where a gateway shall send the connection, or null if it is meant for this proxy's own application
 * @param protocol what the connection carries, or null
 * @param stage whether the sender has made up its mind about a connection without a protocol
 */
public record ConnectionHeader(
        HeaderMagic magic,
        int port,
        @Nullable String name,
        @Nullable SessionProtocol protocol,
        Stage stage) {
    /** The application protocol by which two proxies agree, in their TLS handshake, that a header will come. */
    public static final String ALPN = "transport.l5d.io/v1";

    /** What the absence of a protocol means. */
    public enum Stage {
        /** The sender knows: without a protocol, the bytes are opaque. */
        SETTLED,

        /**
         * The sender dialled while its client was still silent, so that a server that speaks first is heard: the receiver
         * detects for itself. Peers that do not know this field skip it and treat the connection as opaque.
         */
        UNDECIDED
    }

    public ConnectionHeader {
        if (port < 0 || port > 65535 || (port == 0 && magic == HeaderMagic.SHIPPED)) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535"
                    + (magic == HeaderMagic.DOCUMENT ? ", or 0 for a gateway)" : ")"));
        }
        if (name != null && !DnsName.isValid(name)) {
            throw new IllegalArgumentException("name: " + name + " (expected: a DNS name)");
        }
    }

    /** A header in the shipped form, for the application behind the next proxy. */
    public static ConnectionHeader toPort(int port, @Nullable SessionProtocol protocol) {
        return new ConnectionHeader(HeaderMagic.SHIPPED, port, null, protocol, Stage.SETTLED);
    }

    /** A header in the shipped form, for a gateway. */
    public static ConnectionHeader toName(String name, int port, @Nullable SessionProtocol protocol) {
        return new ConnectionHeader(HeaderMagic.SHIPPED, port, name, protocol, Stage.SETTLED);
    }

    /** The same header from a sender that has not heard its client yet. */
    public ConnectionHeader undecided() {
        return new ConnectionHeader(magic, port, name, protocol, Stage.UNDECIDED);
    }
}
