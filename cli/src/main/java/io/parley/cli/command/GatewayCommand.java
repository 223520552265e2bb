package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.proxy.config.GatewayPlace;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink.Post;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private Membership membership;

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

    @Mixin
    private RunningProxy proxy;

    @Override
    public Integer call() throws InterruptedException {
        GatewayPlace place = new GatewayPlace(address == null ? null : ip(address), portOffset);
        return proxy.run(
                membership.origin("default", name + "." + namespace, new Post.Gateway(namespace + "/" + name)),
                admin -> new Overrides(null, null, admin, null, place, null, null, List.of(), Duration.ZERO));
    }

    private static InetAddress ip(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--address: " + text + " (expected: an IP address)");
        }
    }
}
