package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.control.app.HostPort;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley proxy}. */
@Command(
        name = "proxy",
        description = "Run a proxy until it is stopped; open connections are then drained.",
        footer = {"", "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS in the environment adds to the opaque ports of the file."})
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ProxyCommand implements Callable<Integer> {
    private static final String OPAQUE_PORTS = "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS";

    @Option(
            names = "--static",
            paramLabel = "FILE",
            required = true,
            description = "Its configuration, a YAML file that it follows: see docs/agreement-4-proxy.md.")
    private Path file;

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
            ProxyProgram.run(new ProxyProgram.Options(file, overrides, loops), Surroundings.real(), System.out);
        } catch (ProxyProgram.ConfigException e) {
            throw new CommandFailure(ExitCode.INVALID, String.valueOf(e.getMessage()));
        }
        return ExitCode.OK.number();
    }

    private static @Nullable InetSocketAddress address(@Nullable String text) {
        try {
            return text == null ? null : HostPort.parse(text).address();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }
}
