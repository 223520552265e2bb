package io.parley.resource.manifest;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a server adds when it shows a resource, and reads over when it is given one.
 *
 * @param version changes with every change of the resource
 */
public record ServerFields(
        @Nullable String version,
        @Nullable Instant created,
        @Nullable Instant modified) {
    public static final ServerFields NONE = new ServerFields(null, null, null);
}
