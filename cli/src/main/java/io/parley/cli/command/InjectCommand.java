package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.proxy.inject.InjectSettings;
import io.parley.proxy.inject.Injected;
import io.parley.proxy.inject.Injector;
import io.parley.resource.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley inject}. */
@Command(
        name = "inject",
        description =
                "Add a proxy to every pod of a Kubernetes manifest; prints the manifest, and on the error output what"
                        + " was done.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InjectCommand implements Callable<Integer> {
    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE|-",
            required = true,
            description = "A YAML or JSON file, or - for standard input.")
    private String file;

    @Option(names = "--image", defaultValue = "parley:latest", description = "Default: ${DEFAULT-VALUE}.")
    private String image;

    @Option(
            names = "--control-plane",
            paramLabel = "URL",
            defaultValue = "https://parley-control-plane.parley-system:5678",
            description = "Where the proxies join. Default: ${DEFAULT-VALUE}.")
    private String controlPlane;

    @Option(names = "--mesh", defaultValue = "default", description = "Default: ${DEFAULT-VALUE}.")
    private String mesh;

    @Option(
            names = "--secret",
            defaultValue = "parley-proxy",
            description = "A Secret with the keys token and ca.pem. Default: ${DEFAULT-VALUE}.")
    private String secret;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        switch (Injector.inject(manifest(), new InjectSettings(image, controlPlane, mesh, secret))) {
            case Result.Accepted<Injected>(var injected) -> {
                spec.commandLine().getOut().print(injected.text());
                spec.commandLine().getOut().flush();
                injected.notes().forEach(note -> spec.commandLine().getErr().println(note));
            }
            case Result.Rejected<Injected>(var violations) ->
                throw new CommandFailure(
                        ExitCode.INVALID,
                        violations.stream()
                                .map(Object::toString)
                                .collect(Collectors.joining("\n  ", file + ":\n  ", "")));
        }
        return ExitCode.OK.number();
    }

    private String manifest() {
        try {
            return file.equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(new GivenFile("--file", Path.of(file)).readable());
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read " + file + ": " + e.getMessage());
        }
    }
}
