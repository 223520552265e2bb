package io.parley.resource.manifest;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a server adds when it shows a resource, and reads over when it is given one.
 *
 * @param version changes with every change of the resource
 * @param generation counts what was asked for; shown where Kubernetes shows it
 */
public record ServerFields(
        @Nullable String version,
        @Nullable Long generation,
        @Nullable Instant created,
        @Nullable Instant modified) {
    public static final ServerFields NONE = new ServerFields(null, null, null, null);
}
