package io.parley.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley explain connection}: what happens between a proxy and a service, and why. */
@Command(name = "connection", description = "Why a connection carries what it carries, and what policies do to it.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ExplainConnectionCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MeshQuestion question;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "DATAPLANE|SERVICE",
            description = "Who calls; of a service, any of its data planes.")
    private String from;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "SERVICE|HOST:PORT",
            description = "The service, or what the program dials.")
    private String to;

    @Override
    public void run() {
        question.ask("explain/connection", spec.commandLine().getOut(), "from", from, "to", to);
    }
}
