package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.control.app.HostPort;
import io.parley.control.app.ProgramVersion;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley proxy}. */
@Command(
        name = "proxy",
        description = "Run a proxy until it is stopped; open connections are then drained.",
        subcommands = IptablesCommand.class,
        footer = {"", "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS in the environment adds to the opaque ports."})
public final class ProxyCommand implements Callable<Integer> {
    private static final String OPAQUE_PORTS = "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS";

    @Option(
            names = "--static",
            paramLabel = "FILE",
            description = "Take the configuration from a YAML file and follow it: see docs/agreement-4-proxy.md.")
    private @Nullable Path file;

    @Option(
            names = "--bootstrap",
            paramLabel = "FILE",
            description = "Take the configuration from the xDS server that a gRPC bootstrap file names.")
    private @Nullable Path bootstrap;

    @ArgGroup(exclusive = false, heading = "Take the configuration from a control plane:%n")
    private @Nullable Joining joining;

    /** What a control plane must be told. */
    @SuppressWarnings("NullAway.Init") // fields are set by picocli
    static final class Joining {
        @Option(names = "--control-plane", paramLabel = "URL", required = true, description = "https://host:port")
        private URI controlPlane;

        @Option(
                names = "--token",
                paramLabel = "FILE",
                required = true,
                description = "The token of this data plane: see `parley token dataplane`.")
        private Path token;

        @Option(
                names = "--ca",
                paramLabel = "FILE",
                required = true,
                description = "The authority that signed the control plane's certificate (its DIR/ca.pem).")
        private Path ca;

        @Option(names = "--name", required = true, description = "Name of the Dataplane resource.")
        private String name;

        @Option(names = "--mesh", required = true, defaultValue = "default", description = "Default: ${DEFAULT-VALUE}.")
        private String mesh;
    }

    @Option(
            names = "--inbound",
            paramLabel = "HOST:PORT",
            description = "Where it takes connections to the application.")
    private @Nullable String inbound;

    @Option(
            names = "--outbound",
            paramLabel = "HOST:PORT",
            description = "Where it takes connections from the application.")
    private @Nullable String outbound;

    @Option(names = "--admin", paramLabel = "HOST:PORT", description = "Where its admin page listens.")
    private @Nullable String admin;

    @Option(names = "--threads", paramLabel = "N", description = "Event loops. Default: one for each processor.")
    private @Nullable Integer threads;

    @Override
    public Integer call() throws InterruptedException {
        int loops = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        if (loops < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--threads: " + loops + " (expected: at least 1)");
        }
        Overrides overrides =
                new Overrides(address(inbound), address(outbound), address(admin), System.getenv(OPAQUE_PORTS));
        try {
            ProxyProgram.run(new ProxyProgram.Options(origin(), overrides, loops), Surroundings.real(), System.out);
        } catch (ProxyProgram.ConfigException e) {
            throw new CommandFailure(ExitCode.INVALID, String.valueOf(e.getMessage()));
        }
        return ExitCode.OK.number();
    }

    private Origin origin() {
        int given = (file == null ? 0 : 1) + (bootstrap == null ? 0 : 1) + (joining == null ? 0 : 1);
        if (given == 1 && file != null) {
            return new Origin.StaticFile(file);
        }
        if (given == 1 && bootstrap != null) {
            return new Origin.Bootstrap(bootstrap, ProgramVersion.current());
        }
        if (given == 1 && joining != null) {
            return new Origin.ControlPlane(new ControlPlaneLink.Settings(
                    joining.controlPlane,
                    joining.token,
                    joining.ca,
                    joining.mesh,
                    joining.name,
                    ProgramVersion.current()));
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                given + " sources of configuration (expected: one of --control-plane, --bootstrap and --static)");
    }

    private static @Nullable InetSocketAddress address(@Nullable String text) {
        try {
            return text == null ? null : HostPort.parse(text).address();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }
}
