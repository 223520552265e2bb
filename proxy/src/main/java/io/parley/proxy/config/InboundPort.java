package io.parley.proxy.config;

import io.parley.agreement.reason.Decision;
import io.parley.proxy.http.HttpConfig;
import org.jspecify.annotations.Nullable;

/**
 * What holds for one port of the application, or for all that are not named.
 *
 * @param declared what the port carries, and who says so
 * @param authorization who may connect
 * @param http what holds for HTTP; null if every request goes to the application as it came
 * @param raw what holds for what is not HTTP
 * @param endsTls whether mutual TLS with this proxy ends here even if the port is opaque, as members of the mesh dial the port itself;
 *     else what comes to an opaque port is passed on as it is
 */
public record InboundPort(
        Decision<Protocol> declared,
        Authorization authorization,
        @Nullable HttpConfig http,
        Raw raw,
        boolean endsTls) {
    /** Nothing more is said. */
    public InboundPort(Decision<Protocol> declared, Authorization authorization, @Nullable HttpConfig http) {
        this(declared, authorization, http, Raw.NONE, false);
    }

    /** Every request goes to the application as it came. */
    public InboundPort(Decision<Protocol> declared, Authorization authorization) {
        this(declared, authorization, null);
    }
}
