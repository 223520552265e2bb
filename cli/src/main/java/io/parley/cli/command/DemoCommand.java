package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.demo.Demo;
import io.parley.cli.log.Logging;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley demo}. */
@Command(
        name = "demo",
        description = "Run a whole mesh on this machine, with traffic, and show what is agreed on each hop.",
        footer = {"", "Nothing is left behind but DIR."})
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class DemoCommand implements Callable<Integer> {
    private static final int SERVICES = 4;
    private static final int LAST_PORT = 65535;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "parley-demo",
            description = "Folder for keys and tokens. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--api",
            paramLabel = "HOST:PORT",
            defaultValue = ControlPlaneConfig.DEFAULT_API,
            converter = AddressConverter.class,
            description = "Where the control plane's API listens. Default: ${DEFAULT-VALUE}.")
    private HostPort api;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:5678",
            converter = AddressConverter.class,
            description = "Where proxies reach the control plane. Default: ${DEFAULT-VALUE}.")
    private HostPort listen;

    @Option(
            names = "--first-port",
            paramLabel = "PORT",
            defaultValue = "9001",
            description =
                    "Where the first of four services is offered to you; the others and the gateway follow. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int firstPort;

    @Override
    public Integer call() throws InterruptedException {
        Logging.onlyWarnings();
        PrintWriter out = spec.commandLine().getOut();
        out.println("Starting a control plane, four applications, their proxies and a gateway on this machine …");
        out.flush();
        Demo demo = start(out);
        Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "stop"));
        tour(out);
        demo.run();
        return ExitCode.OK.number();
    }

    private Demo start(PrintWriter out) throws InterruptedException {
        try {
            if (firstPort < 1 || firstPort > LAST_PORT - Demo.PORTS + 1) {
                throw new IllegalArgumentException("--first-port: " + firstPort + " (expected: a port, with "
                        + (Demo.PORTS - 1) + " more after it)");
            }
            return Demo.start(new Demo.Settings(data, api, listen, firstPort), out);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        } catch (IOException | StoreException | UncheckedIOException | IllegalStateException e) {
            throw new CommandFailure(ExitCode.FAILED, "the demo cannot start: " + e.getMessage());
        }
    }

    private void tour(PrintWriter out) {
        String at = " --data " + data;
        out.println("Ready. A visitor calls web (HTTP), greeter (gRPC), chat (WebSocket) and mail (its server speaks"
                + " first,");
        out.println("which nobody declared), each through two proxies. Stop it with Ctrl-C. Meanwhile, in another"
                + " terminal:");
        out.println();
        out.println("  curl http://127.0.0.1:" + firstPort + "/");
        out.println("  curl http://127.0.0.1:" + (firstPort + SERVICES) + "/    # the same, through the gateway");
        out.println("  ./parley inspect dataplanes" + at);
        out.println("  ./parley inspect dataplane visitor" + at);
        out.println("  ./parley explain connection --from visitor --to mail:" + (firstPort + SERVICES - 1) + at);
        out.println("  ./parley explain policy --dataplane visitor --to web" + at);
        out.println("  ./parley get gateways" + at);
        out.println("  ./parley explain backend demo/greeter:80" + at);
        out.println("  ./parley delete meshtrafficpermission visitor-may" + at + "    # and see the visits fail");
        out.println();
        out.println("What is agreed on each hop, as it happens:");
        out.flush();
    }
}
