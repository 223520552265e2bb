package io.parley.cli.command;

import io.parley.control.app.ProgramVersion;
import io.parley.proxy.app.Origin;
import io.parley.proxy.join.ControlPlaneLink;
import io.parley.proxy.join.ControlPlaneLink.Post;
import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How a proxy joins a control plane. */
@SuppressWarnings("NullAway.Init") // fields are set by picocli
class Membership {
    @Option(names = "--control-plane", paramLabel = "URL", required = true, description = "https://host:port")
    private URI controlPlane;

    @Option(
            names = "--token",
            paramLabel = "FILE",
            required = true,
            description = "The token of this proxy: see `parley token`.")
    private Path token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            required = true,
            description = "The authority that signed the control plane's certificate (its DIR/ca.pem).")
    private Path ca;

    /** As what the proxy stands for. */
    final Origin origin(String mesh, String name, Post post) {
        return new Origin.ControlPlane(
                new ControlPlaneLink.Settings(controlPlane, token, ca, mesh, name, ProgramVersion.current(), post));
    }

    /** As what stands beside an application. */
    final ControlPlaneLink.Settings settings(String mesh, String name) {
        return new ControlPlaneLink.Settings(controlPlane, token, ca, mesh, name, ProgramVersion.current());
    }
}
