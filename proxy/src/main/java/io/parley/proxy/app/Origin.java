package io.parley.proxy.app;

import io.parley.proxy.join.ControlPlaneLink;
import java.nio.file.Path;

/** Where a proxy's configuration comes from. */
public sealed interface Origin {
    /** A static file, which is followed. */
    record StaticFile(Path file) implements Origin {}

    /** A control plane of Parley, by its link. */
    record ControlPlane(ControlPlaneLink.Settings settings) implements Origin {}

    /** Any xDS server; the file says which. */
    record Bootstrap(Path file, String version) implements Origin {}
}
