package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.control.app.HostPort;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.listen.CannotListenException;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Durations;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every proxy can be told, and how it runs until it is stopped. */
final class RunningProxy {
    private static final Pattern PROBE = Pattern.compile("[1-9][0-9]{0,4}/[!-~]*");

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description = "Where its admin page listens.")
    private @Nullable HostPort admin;

    @Option(
            names = "--admin-token",
            paramLabel = "FILE",
            description =
                    "What administrators show to the admin page, as a bearer token; only they may drain the proxy, or"
                            + " look at it from elsewhere.")
    private @Nullable Path adminToken;

    @Option(
            names = "--probe",
            paramLabel = "PORT/PATH",
            description = "What the admin page asks the application for, at /probe/PORT/PATH, for kubelets that may not"
                    + " ask it themselves. May be given several times.")
    private List<String> probes = List.of();

    @Option(names = "--threads", paramLabel = "N", description = "Event loops. Default: one for each processor.")
    private @Nullable Integer threads;

    @Option(
            names = "--access-log",
            paramLabel = "FORMAT",
            description = "How each request and connection is logged: text, json or none. Default: as the file says, or"
                    + " text.")
    private @Nullable String accessLog;

    @Option(
            names = "--drain-delay",
            paramLabel = "DURATION",
            defaultValue = "0s",
            description = "For how long it serves on, while /ready says no, after it was told to end and before it"
                    + " drains, so that nobody sends it connections by then. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String drainDelay;

    /** Runs it; {@code overrides} is asked for what the command line says, given where the admin page is to be. */
    int run(Origin origin, Function<@Nullable InetSocketAddress, Overrides> overrides) throws InterruptedException {
        int loops = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        if (loops < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--threads: " + loops + " (expected: at least 1)");
        }
        probes.stream()
                .filter(probe -> !PROBE.matcher(probe).matches())
                .findFirst()
                .ifPresent(probe -> {
                    throw new CommandFailure(
                            ExitCode.USAGE, "--probe: " + probe + " (expected: PORT/PATH, as 8080/healthz)");
                });
        try {
            ProxyProgram.run(
                    new ProxyProgram.Options(
                            origin,
                            overrides
                                    .apply(address(admin))
                                    .logging(format(accessLog))
                                    .administered(adminToken)
                                    .probing(probes)
                                    .drainingAfter(duration("--drain-delay", drainDelay)),
                            loops),
                    Surroundings.real(),
                    System.out);
        } catch (ProxyProgram.ConfigException e) {
            throw new CommandFailure(ExitCode.INVALID, String.valueOf(e.getMessage()));
        } catch (CannotListenException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()));
        }
        return ExitCode.OK.number();
    }

    private static @Nullable AccessLogFormat format(@Nullable String text) {
        return switch (text) {
            case null -> null;
            case "text" -> AccessLogFormat.TEXT;
            case "json" -> AccessLogFormat.JSON;
            case "none" -> AccessLogFormat.NONE;
            default ->
                throw new CommandFailure(ExitCode.USAGE, "--access-log: " + text + " (expected: text, json or none)");
        };
    }

    private static Duration duration(String option, String text) {
        return Durations.parse(text)
                .filter(duration -> !duration.isNegative())
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE, option + ": " + text + " (expected: " + DurationRange.NOT_NEGATIVE + ")"));
    }

    static @Nullable InetSocketAddress address(@Nullable HostPort given) {
        return given == null ? null : given.address();
    }
}
