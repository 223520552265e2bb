package io.parley.agreement.backend;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a Service's {@code ports}. A number may be there twice, once for TCP and once for UDP.
 *
 * @param name empty for the only one
 */
public record ServicePort(
        String name,
        int number,
        Transport transport,
        @Nullable String appProtocol) {}
