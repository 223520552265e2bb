package io.parley.cli.command;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortSet;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.proxy.intercept.Interception;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley proxy iptables}. */
@Command(
        name = "iptables",
        description = "Print the rules that bring this machine's connections to the proxy, or apply them.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class IptablesCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    @Option(names = "--inbound-port", defaultValue = "4143", description = "Default: ${DEFAULT-VALUE}.")
    private int inbound;

    @Option(names = "--outbound-port", defaultValue = "4140", description = "Default: ${DEFAULT-VALUE}.")
    private int outbound;

    @Option(
            names = "--proxy-uid",
            defaultValue = "2102",
            description =
                    "User that the proxy runs as, whose own connections are left alone. Default: ${DEFAULT-VALUE}.")
    private int user;

    @Option(
            names = "--skip-inbound-ports",
            paramLabel = "PORTS",
            defaultValue = "4190,4191,4567,4568",
            description = "Ports here that are not intercepted, the proxy's admin port among them. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String skipInbound;

    @Option(
            names = "--skip-outbound-ports",
            paramLabel = "PORTS",
            defaultValue = "4567,4568",
            description = "Ports elsewhere that are not intercepted. Default: ${DEFAULT-VALUE}.")
    private String skipOutbound;

    @Option(names = "--apply", description = "Apply the rules; needs root. They may be applied again.")
    private boolean apply;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Interception interception = new Interception(
                port("--inbound-port", inbound),
                port("--outbound-port", outbound),
                user,
                ports("--skip-inbound-ports", skipInbound),
                ports("--skip-outbound-ports", skipOutbound));
        if (apply) {
            return run(interception.script());
        }
        spec.commandLine().getOut().print(interception.script());
        spec.commandLine().getOut().flush();
        return ExitCode.OK.number();
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
            throw new CommandFailure(ExitCode.USAGE, option + ": " + list.rejected());
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
                    "the rules were not applied (expected: root, iptables and ip6tables; see the messages above)");
        }
        return ExitCode.OK.number();
    }
}
