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
 */
public record InboundPort(
        Decision<Protocol> declared,
        Authorization authorization,
        @Nullable HttpConfig http) {
    /** Every request goes to the application as it came. */
    public InboundPort(Decision<Protocol> declared, Authorization authorization) {
        this(declared, authorization, null);
    }
}
