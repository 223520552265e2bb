package io.parley.proxy.config;

import io.parley.agreement.reason.Decision;
import io.parley.proxy.http.HttpConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What holds for one port of the application, or for all that are not named.
 *
 * @param declared what the port carries, and who says so
 * @param authorization who may connect
 * @param http what holds for HTTP; null if every request goes to the application as it came
 * @param idle how long a connection that is not HTTP may carry nothing; null if the proxy's own time holds
 */
public record InboundPort(
        Decision<Protocol> declared,
        Authorization authorization,
        @Nullable HttpConfig http,
        @Nullable Duration idle) {
    /** The proxy's own idle time holds. */
    public InboundPort(Decision<Protocol> declared, Authorization authorization, @Nullable HttpConfig http) {
        this(declared, authorization, http, null);
    }

    /** Every request goes to the application as it came. */
    public InboundPort(Decision<Protocol> declared, Authorization authorization) {
        this(declared, authorization, null);
    }
}
