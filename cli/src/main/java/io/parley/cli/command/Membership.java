package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.control.ProgramVersion;
import io.parley.link.client.LinkClient;
import io.parley.proxy.app.Origin;
import io.parley.proxy.join.ControlPlaneLink;
import io.parley.proxy.join.ControlPlaneLink.Post;
import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How a proxy joins a control plane. */
@SuppressWarnings("NullAway.Init") // fields are set by picocli
class Membership {
    @Option(names = "--control-plane", paramLabel = "URL", required = true, description = "https://HOST:PORT")
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
        return new Origin.ControlPlane(settings(mesh, name, post));
    }

    /** As what stands beside an application. */
    final ControlPlaneLink.Settings settings(String mesh, String name) {
        return settings(mesh, name, new Post.Sidecar());
    }

    private ControlPlaneLink.Settings settings(String mesh, String name, Post post) {
        if (!LinkClient.isAddress(controlPlane)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--control-plane: " + controlPlane + " (expected: https://HOST:PORT)");
        }
        return new ControlPlaneLink.Settings(
                controlPlane,
                new GivenFile("--token", token).readable(),
                new GivenFile("--ca", ca).readable(),
                mesh,
                name,
                ProgramVersion.current(),
                post);
    }
}
