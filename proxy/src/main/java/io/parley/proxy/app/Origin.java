package io.parley.proxy.app;

import io.parley.proxy.join.ControlPlaneLink;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a proxy's configuration comes from. */
public sealed interface Origin {
    /** A static file, which is followed. */
    record StaticFile(Path file) implements Origin {}

    /** A control plane of Parley, by its link. */
    record ControlPlane(ControlPlaneLink.Settings settings) implements Origin {}

    /**
     * Any xDS server; a bootstrap file says which.
     *
     * @param file null for the one that the environment or a system property gives, as to every gRPC program
     */
    record Bootstrap(@Nullable Path file, String version) implements Origin {}
}
