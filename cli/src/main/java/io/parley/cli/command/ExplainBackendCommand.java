package io.parley.cli.command;

import io.parley.cli.client.ServerOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley explain backend}: how gateways speak to a port of a Service, and why. */
@Command(name = "backend", description = "Why a gateway speaks to a backend as it does.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ExplainBackendCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Mixin
    private AnswerFormat format;

    @Parameters(paramLabel = "NAMESPACE/SERVICE:PORT", description = "The backend.")
    private String backend;

    @Option(
            names = "--route",
            paramLabel = "KIND/NAMESPACE/NAME",
            description = "Only as this route sees it. Default: all that lead there.")
    private @Nullable String route;

    @Override
    public void run() {
        format.ask(server, "/explain/backend", spec.commandLine().getOut(), "backend", backend, "route", route);
    }
}
