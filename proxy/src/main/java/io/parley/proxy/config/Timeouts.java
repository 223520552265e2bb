package io.parley.proxy.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long each wait may take, and what its end means.
 *
 * @param serverFirstGrace how long a silent client is waited for before the server is dialled to hear whether it speaks first
 *     then whoever speaks first decides. Zero dials at once, null never does: the silence then lasts for {@code detect}
 * @param detect how long bytes that may yet become a known protocol are waited for; then the connection is opaque (fails open).
 *     Where the server may not be dialled for a stranger, a silent client is closed (fails closed)
 * @param partial how long a pause inside such bytes may last; then the connection is opaque (fails open)
 * @param header how long a peer proxy may take for its connection header (fails closed)
 * @param handshake how long a TLS handshake may take (fails closed)
 * @param connect how long an endpoint may take to accept; then the next one is tried (fails closed after the last)
 * @param idle how long a connection may carry nothing in either direction (closes)
 * @param drain how long open connections may go on once the proxy is told to stop (closes)
 */
public record Timeouts(
        @Nullable Duration serverFirstGrace,
        Duration detect,
        Duration partial,
        Duration header,
        Duration handshake,
        Duration connect,
        Duration idle,
        Duration drain) {
    public static final Timeouts DEFAULT = new Timeouts(
            Duration.ofMillis(50),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            Duration.ofSeconds(30));

    /** The same, but for another time to connect, if one is given. */
    public Timeouts withConnect(@Nullable Duration other) {
        return other == null
                ? this
                : new Timeouts(serverFirstGrace, detect, partial, header, handshake, other, idle, drain);
    }
}
