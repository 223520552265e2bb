package io.parley.agreement.backend;

import org.jspecify.annotations.Nullable;

/** What one EndpointSlice says about a port of its Service. */
public record SlicePort(String slice, @Nullable String appProtocol) {}
