package io.parley.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley explain policy}: which policies act on a data plane, field by field. */
@Command(name = "policy", description = "Which policies act on a data plane, and which of several wins.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ExplainPolicyCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MeshQuestion question;

    @Option(names = "--dataplane", required = true, paramLabel = "NAME", description = "The data plane.")
    private String dataplane;

    @Option(
            names = "--to",
            paramLabel = "SERVICE",
            description = "For what it sends there; without it, for what it receives.")
    private @Nullable String to;

    @Override
    public void run() {
        question.ask("explain/policy", spec.commandLine().getOut(), "dataplane", dataplane, "to", to);
    }
}
