package io.parley.cli.command;

import io.parley.cli.client.ApiClient;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.client.ServerOptions;
import io.parley.control.api.ResourcePath;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kinds;
import io.parley.resource.kind.Scope;
import io.parley.resource.manifest.ManifestWriter;
import io.parley.resource.manifest.ServerFields;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley apply}: all manifests are read and checked before the first is sent. */
@Command(
        name = "apply",
        description = "Create or update the resources of a manifest, in the universal or the Kubernetes form.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ApplyCommand implements Callable<Integer> {
    private static final KindId MESH = new KindId("Mesh");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE|DIR|-",
            required = true,
            description = "A YAML or JSON file, a folder of them, or - for standard input; may be given several times.")
    private List<String> files;

    @Option(names = "--dry-run", description = "Check only, here and at the control plane; store nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        List<Resource> resources = ManifestFiles.read(
                files,
                left -> spec.commandLine()
                        .getErr()
                        .println("parley: " + left + " is left out: Kubernetes runs it, and nobody here looks at it"));
        if (resources.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    "no resources in "
                            + files.stream().map(ManifestFiles::shown).collect(Collectors.joining(", ")));
        }
        int failures = 0;
        CommandFailure last = null;
        try (ApiClient client = server.client()) {
            for (Resource resource : containersFirst(resources)) {
                try {
                    apply(client, resource, dryRun ? "?dryRun=true" + assumed(resources) : "");
                } catch (CommandFailure e) {
                    if (e.exitCode() == ExitCode.UNREACHABLE || e.exitCode() == ExitCode.NOT_ALLOWED) {
                        throw e;
                    }
                    failures++;
                    last = e;
                    spec.commandLine().getErr().println("parley: " + resource.key() + ": " + e.getMessage());
                }
            }
        }
        if (last != null) {
            throw new CommandFailure(last.exitCode(), failures + " of " + resources.size() + " resources were refused");
        }
        return ExitCode.OK.number();
    }

    /** The meshes that would be there, had the files really been applied. */
    private static String assumed(List<Resource> resources) {
        return resources.stream()
                .filter(resource -> resource.key().kind().equals(MESH))
                .map(resource ->
                        "&assumeMesh=" + URLEncoder.encode(resource.key().name(), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }

    private void apply(ApiClient client, Resource resource, String query) {
        ResourceKey key = resource.key();
        String outcome = client.put(ResourcePath.of(key) + query, ManifestWriter.json(resource, ServerFields.NONE))
                .outcome();
        String instead = Kinds.require(key.kind())
                .replacedBy()
                .map(kind -> " (stored, not applied: use " + kind + ")")
                .orElse("");
        spec.commandLine().getOut().println(key + (dryRun ? " is valid (dry run)" : " " + outcome) + instead);
    }

    /** A mesh must be there before what lives in it, wherever it stands in the files. */
    private static List<Resource> containersFirst(List<Resource> resources) {
        return resources.stream()
                .sorted(Comparator.comparing(
                        resource -> Kinds.require(resource.key().kind()).scope() != Scope.GLOBAL))
                .toList();
    }
}
