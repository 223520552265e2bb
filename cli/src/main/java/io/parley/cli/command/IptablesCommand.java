package io.parley.cli.command;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortRange;
import io.parley.agreement.port.PortSet;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.proxy.intercept.Interception;
import io.parley.proxy.intercept.Interception.Families;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley proxy iptables}. */
@Command(
        name = "iptables",
        description = "Print how the rules are made that bring this machine's connections to the proxy, or make them.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class IptablesCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    /** The proxy's control and admin ports, which answer for themselves. */
    private static final PortSet ALWAYS_SKIPPED = PortSet.of(new PortRange(4190, 4191));

    @Option(names = "--inbound-port", defaultValue = "4143", description = "Default: ${DEFAULT-VALUE}.")
    private int inbound;

    @Option(names = "--outbound-port", defaultValue = "4140", description = "Default: ${DEFAULT-VALUE}.")
    private int outbound;

    @Option(
            names = "--proxy-uid",
            paramLabel = "NUMBER",
            defaultValue = "2102",
            description =
                    "User that the proxy runs as, whose own connections are left alone. Default: ${DEFAULT-VALUE}.")
    private String user;

    @Option(
            names = "--skip-inbound-ports",
            paramLabel = "PORTS",
            defaultValue = "4567,4568",
            description = "Ports here that are not intercepted, beside 4190 and 4191, the proxy's own. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String skipInbound;

    @Option(
            names = "--skip-outbound-ports",
            paramLabel = "PORTS",
            defaultValue = "4567,4568",
            description = "Ports elsewhere that are not intercepted. Default: ${DEFAULT-VALUE}.")
    private String skipOutbound;

    @Option(
            names = "--ipv6",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Rules for IPv6 as well; --no-ipv6 where the kernel has none. Default: ${DEFAULT-VALUE}.")
    private boolean ipv6;

    @Option(
            names = "--apply",
            description = "Do it, instead of printing how; needs root. It may be done again, with other ports too.")
    private boolean apply;

    @Option(names = "--undo", description = "Take the rules away; whatever else is said of ports does not count.")
    private boolean undo;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Families families = ipv6 ? Families.IPV4_AND_IPV6 : Families.IPV4;
        String script = undo ? Interception.undoing(families) : interception().script(families);
        if (apply) {
            return run(script);
        }
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
        return ExitCode.OK.number();
    }

    private Interception interception() {
        if (inbound == outbound) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--outbound-port: " + outbound + " (expected: another than --inbound-port)");
        }
        return new Interception(
                port("--inbound-port", inbound),
                port("--outbound-port", outbound),
                user(),
                ports("--skip-inbound-ports", skipInbound).or(ALWAYS_SKIPPED),
                ports("--skip-outbound-ports", skipOutbound));
    }

    private int user() {
        try {
            int number = Integer.parseInt(user);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // A name, or more than there are users.
        }
        throw new CommandFailure(
                ExitCode.USAGE, "--proxy-uid: " + user + " (expected: the number of a user, as id -u prints it)");
    }

    private static int port(String option, int port) {
        if (port < 1 || port > MAX_PORT) {
            throw new CommandFailure(ExitCode.USAGE, option + ": " + port + " (expected: 1 to " + MAX_PORT + ")");
        }
        return port;
    }

    private static PortSet ports(String option, String text) {
        PortList list = PortList.parse(text);
        if (!list.rejected().isEmpty()) {
            String wrong = list.rejected().stream().map(PortList.Rejected::item).collect(Collectors.joining(", "));
            throw new CommandFailure(
                    ExitCode.USAGE,
                    option + ": " + wrong + " (expected: ports from 1 to " + MAX_PORT
                            + " and ranges of them, such as 25,5000-5010)");
        }
        return list.ports();
    }

    private static int run(String script) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-s")
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream in = shell.getOutputStream()) {
            in.write(script.getBytes(StandardCharsets.UTF_8));
        }
        if (shell.waitFor() != 0) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the rules were not changed (expected: root, iptables and ip6tables; see the messages above)");
        }
        return ExitCode.OK.number();
    }
}
