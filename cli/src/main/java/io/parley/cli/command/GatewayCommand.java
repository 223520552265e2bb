package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.control.app.HostPort;
import io.parley.control.app.ProgramVersion;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.GatewayPlace;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley gateway}. */
@Command(
        name = "gateway",
        description = "Run the proxy of a Gateway until it is stopped; open connections are then drained.",
        footer = {"", "Where it listens is told by the Gateway; see docs/gateway.md."})
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class GatewayCommand implements Callable<Integer> {
    @Option(names = "--name", required = true, description = "Name of the Gateway.")
    private String name;

    @Option(
            names = {"-n", "--namespace"},
            required = true,
            defaultValue = "default",
            description = "Its namespace. Default: ${DEFAULT-VALUE}.")
    private String namespace;

    @Option(names = "--control-plane", paramLabel = "URL", required = true, description = "https://host:port")
    private URI controlPlane;

    @Option(
            names = "--token",
            paramLabel = "FILE",
            required = true,
            description = "The token of this gateway: see `parley token gateway`.")
    private Path token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            required = true,
            description = "The authority that signed the control plane's certificate (its DIR/ca.pem).")
    private Path ca;

    @Option(
            names = "--address",
            paramLabel = "IP",
            description = "Where to listen, whatever the Gateway says, as behind a load balancer.")
    private @Nullable String address;

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            defaultValue = "0",
            description = "Added to each port, for ports that only an administrator may open.")
    private int portOffset;

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
        GatewayPlace place = new GatewayPlace(address == null ? null : ip(address), portOffset);
        Overrides overrides = new Overrides(null, null, admin == null ? null : hostPort(admin), null, place);
        try {
            ProxyProgram.run(new ProxyProgram.Options(origin(), overrides, loops), Surroundings.real(), System.out);
        } catch (ProxyProgram.ConfigException e) {
            throw new CommandFailure(ExitCode.INVALID, String.valueOf(e.getMessage()));
        }
        return ExitCode.OK.number();
    }

    private Origin origin() {
        return new Origin.ControlPlane(new ControlPlaneLink.Settings(
                controlPlane,
                token,
                ca,
                "default",
                name + "." + namespace,
                ProgramVersion.current(),
                namespace + "/" + name));
    }

    private static InetAddress ip(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--address: " + text + " (expected: an IP address)");
        }
    }

    private static InetSocketAddress hostPort(String text) {
        try {
            return HostPort.parse(text).address();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }
}
