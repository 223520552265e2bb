package io.parley.proxy.log;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request or one connection that is over.
 *
 * @param subject what it is about
 * @param start when it began
 * @param protocol {@code HTTP/1.1} or {@code HTTP/2}; null for a connection
 * @param status 0 if there was no answer
 * @param cause the proxy's own word for what went wrong; null if nothing did
 * @param received bytes of content that the client sent
 * @param sent bytes of content that the client was sent
 * @param from who sent it
 * @param destination what the client dialled
 * @param peer the client's name in the mesh; null if it showed none
 */
public record Entry(
        Subject subject,
        Instant start,
        Duration took,
        @Nullable String protocol,
        int status,
        @Nullable String cause,
        long received,
        long sent,
        From from,
        InetSocketAddress destination,
        @Nullable String peer,
        @Nullable InetSocketAddress endpoint,
        @Nullable String cluster,
        @Nullable String route,
        Fields fields) {
    /** What an entry is about. */
    public enum Subject {
        REQUEST,
        CONNECTION
    }

    /**
     * Where it comes from.
     *
     * @param client who sent it; of a request behind trusted proxies the first address that they know, without a port
     * @param peer the other end of the connection
     */
    public record From(InetSocketAddress client, InetSocketAddress peer) {
        public static From connection(InetSocketAddress peer) {
            return new From(peer, peer);
        }
    }

    /**
     * What was read of header fields, by their names in lower case. Only those are there that a format asks for.
     *
     * @param request pseudo-fields included
     */
    public record Fields(Map<String, String> request, Map<String, String> answer) {
        public static final Fields NONE = new Fields(Map.of(), Map.of());
    }
}
