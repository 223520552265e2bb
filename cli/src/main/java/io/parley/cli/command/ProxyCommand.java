package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.control.app.HostPort;
import io.parley.control.ProgramVersion;
import io.parley.proxy.app.Origin;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink.Post;
import io.parley.xds.bootstrap.BootstrapSource;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley proxy}. */
@Command(
        name = "proxy",
        description = "Run a proxy until it is stopped; open connections are then drained.",
        subcommands = IptablesCommand.class,
        footer = {
            "Every option can also be set in the environment (--admin-token as PARLEY_ADMIN_TOKEN) or in a YAML file",
            "named by --config. LINKERD2_PROXY_INBOUND_OPAQUE_PORTS in the environment adds to the opaque ports."
        })
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
            description = "Take the configuration from the xDS server that a gRPC bootstrap file names;"
                    + " without any source, from the one that GRPC_XDS_BOOTSTRAP gives.")
    private @Nullable Path bootstrap;

    @ArgGroup(exclusive = false, heading = "Take the configuration from a control plane:%n")
    private @Nullable Joining joining;

    /** What a control plane must be told. */
    @SuppressWarnings("NullAway.Init") // fields are set by picocli
    static final class Joining extends Membership {
        @Option(
                names = "--name",
                required = true,
                description = "Name of the Dataplane, ZoneIngress or ZoneEgress resource.")
        private String name;

        @Option(
                names = "--proxy-type",
                paramLabel = "TYPE",
                required = true,
                defaultValue = "dataplane",
                description = "dataplane, ingress or egress. Default: ${DEFAULT-VALUE}.")
        private String type;

        @Option(names = "--mesh", required = true, defaultValue = "default", description = "Default: ${DEFAULT-VALUE}.")
        private String mesh;
    }

    @Option(
            names = "--inbound",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Where it takes connections to the application.")
    private @Nullable HostPort inbound;

    @Option(
            names = "--outbound",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Where it takes connections from the application.")
    private @Nullable HostPort outbound;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private RunningProxy proxy;

    @Override
    public Integer call() throws InterruptedException {
        return proxy.run(
                origin(),
                admin -> new Overrides(
                        RunningProxy.address(inbound),
                        RunningProxy.address(outbound),
                        admin,
                        System.getenv(OPAQUE_PORTS)));
    }

    private Origin origin() {
        int given = (file == null ? 0 : 1) + (bootstrap == null ? 0 : 1) + (joining == null ? 0 : 1);
        if (given == 1 && file != null) {
            return new Origin.StaticFile(new GivenFile("--static", file).readable());
        }
        if (given == 1 && bootstrap != null) {
            return new Origin.Bootstrap(new GivenFile("--bootstrap", bootstrap).readable(), ProgramVersion.current());
        }
        if (given == 1 && joining != null) {
            return joining.origin(joining.mesh, joining.name, post(joining.type));
        }
        if (given == 0 && BootstrapSource.isGiven(System.getenv(), System::getProperty)) {
            return new Origin.Bootstrap(null, ProgramVersion.current());
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                given + " sources of configuration (expected: one of --control-plane, --bootstrap and --static)");
    }

    private static Post post(String type) {
        return switch (type) {
            case "dataplane" -> new Post.Sidecar();
            case "ingress", "egress" -> new Post.BetweenZones();
            default ->
                throw new CommandFailure(
                        ExitCode.USAGE, "--proxy-type: " + type + " (expected: dataplane, ingress or egress)");
        };
    }
}
