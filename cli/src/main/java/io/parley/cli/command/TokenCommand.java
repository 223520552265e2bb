package io.parley.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.client.ServerOptions;
import java.io.Console;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley token …}: the bare token goes to standard output, so that {@code > FILE} is all it takes to keep it. */
@Command(name = "token", description = "Issue and withdraw tokens.", synopsisSubcommandLabel = "COMMAND")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class TokenCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(name = "user", description = "Print a token for a person or program that uses the API.")
    void user(
            @Mixin ServerOptions server,
            @Option(names = "--name", required = true, paramLabel = "NAME", description = "Who will use it.")
                    String name,
            @Option(
                            names = "--group",
                            paramLabel = "GROUP",
                            defaultValue = "reader",
                            description = "admin or reader; may be given several times. Default: ${DEFAULT-VALUE}.")
                    List<String> groups,
            @Option(names = "--valid-for", paramLabel = "DURATION", description = "Such as 30m or 8h. Default: 8h.")
                    @Nullable
                    String validFor) {
        ObjectNode request = request(validFor).put("name", name).put("tenant", server.tenant());
        groups.forEach(request.putArray("groups")::add);
        print(server.clientWithoutTenant(), "/tokens/user", request);
    }

    @Command(name = "dataplane", description = "Print a token with which a proxy joins a mesh.")
    void dataplane(
            @Mixin ServerOptions server,
            @Option(names = "--name", paramLabel = "NAME", description = "The proxy's name, which is its Dataplane's.")
                    @Nullable
                    String name,
            @Option(
                            names = "--service",
                            paramLabel = "SERVICE",
                            description =
                                    "Instead of a name: for any proxy whose Dataplane is of this service and no other.")
                    @Nullable
                    String service,
            @Option(
                            names = {"-m", "--mesh"},
                            paramLabel = "MESH",
                            defaultValue = "default",
                            description = "The proxy's mesh. Default: ${DEFAULT-VALUE}.")
                    String mesh,
            @Option(names = "--valid-for", paramLabel = "DURATION", description = "Such as 10m. Default: 24h.")
                    @Nullable
                    String validFor) {
        if ((name == null) == (service == null)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "token dataplane (expected: either --name NAME or --service SERVICE)");
        }
        ObjectNode request = request(validFor).put("mesh", mesh).put("tenant", server.tenant());
        print(
                server.clientWithoutTenant(),
                "/tokens/dataplane",
                name == null ? request.put("service", service) : request.put("name", name));
    }

    @Command(name = "gateway", description = "Print a token with which the proxy of a Gateway joins.")
    void gateway(
            @Mixin ServerOptions server,
            @Option(names = "--name", required = true, paramLabel = "NAME", description = "The Gateway's name.")
                    String name,
            @Option(
                            names = {"-n", "--namespace"},
                            paramLabel = "NAMESPACE",
                            defaultValue = "default",
                            description = "The Gateway's namespace. Default: ${DEFAULT-VALUE}.")
                    String namespace,
            @Option(names = "--valid-for", paramLabel = "DURATION", description = "Such as 720h. Default: 720h.")
                    @Nullable
                    String validFor) {
        print(
                server.client(),
                "/tokens/gateway",
                request(validFor).put("name", name).put("namespace", namespace));
    }

    @Command(name = "zone-proxy", description = "Print a token with which a zone's ingress or egress joins.")
    void zoneProxy(
            @Mixin ServerOptions server,
            @Option(
                            names = "--name",
                            required = true,
                            paramLabel = "NAME",
                            description = "Name of the ZoneIngress or ZoneEgress.")
                    String name,
            @Option(names = "--valid-for", paramLabel = "DURATION", description = "Such as 720h. Default: 720h.")
                    @Nullable
                    String validFor) {
        print(server.client(), "/tokens/zone-proxy", request(validFor).put("name", name));
    }

    @Command(name = "zone", description = "Print a token with which a zone joins the global control plane.")
    void zone(
            @Mixin ServerOptions server,
            @Option(names = "--zone", required = true, paramLabel = "ZONE", description = "The zone's name.")
                    String zone,
            @Option(names = "--valid-for", paramLabel = "DURATION", description = "Such as 720h. Default: 720h.")
                    @Nullable
                    String validFor) {
        print(
                server.clientWithoutTenant(),
                "/tokens/zone",
                request(validFor).put("zone", zone).put("tenant", server.tenant()));
    }

    @Command(name = "revoke", description = "Withdraw a token before it expires.")
    void revoke(
            @Mixin ServerOptions server,
            @Parameters(arity = "0..1", paramLabel = "ID", description = "The token's id: its claim jti.") @Nullable
                    String id,
            @Option(names = "--file", paramLabel = "FILE", description = "A file with the token itself, instead.")
                    @Nullable
                    Path file) {
        if ((id == null) == (file == null)) {
            throw new CommandFailure(ExitCode.USAGE, "token revoke (expected: either ID or --file FILE)");
        }
        try (ApiClient client = server.client()) {
            ObjectNode request =
                    JsonNodeFactory.instance.objectNode().put("id", file == null ? id : ServerOptions.read(file));
            spec.commandLine()
                    .getOut()
                    .println("revoked "
                            + client.post("/tokens/revocations", request)
                                    .body()
                                    .path("revoked")
                                    .asText());
        }
    }

    @Command(name = "keys", description = "Show the keys whose tokens count; the last one signs.")
    void keys(@Mixin ServerOptions server) {
        try (ApiClient client = server.client()) {
            client.get("/tokens/keys")
                    .body()
                    .path("items")
                    .forEach(key -> spec.commandLine()
                            .getOut()
                            .println(
                                    key.path("id").asText() + (key.path("signs").asBoolean() ? "  signs" : "")));
        }
    }

    @Command(
            name = "new-key",
            description = {
                "Make a key that signs tokens from now on.",
                "Tokens of the older keys count until those are retired: issue new ones first."
            })
    void newKey(@Mixin ServerOptions server) {
        try (ApiClient client = server.client()) {
            ObjectNode nothing = JsonNodeFactory.instance.objectNode();
            spec.commandLine()
                    .getOut()
                    .println(client.post("/tokens/keys", nothing)
                            .body()
                            .path("id")
                            .asText());
        }
    }

    @Command(name = "retire-key", description = "Withdraw a key and every token that it has signed.")
    void retireKey(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "ID", description = "As 'parley token keys' shows it.") String id) {
        try (ApiClient client = server.client()) {
            client.delete("/tokens/keys/" + AnswerFormat.encode(id));
            spec.commandLine().getOut().println("retired " + id);
        }
    }

    private static ObjectNode request(@Nullable String validFor) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        return validFor == null ? request : request.put("validFor", validFor);
    }

    private void print(ApiClient api, String path, ObjectNode request) {
        try (ApiClient client = api) {
            String token = client.post(path, request).body().path("token").asText();
            spec.commandLine().getOut().print(forATerminal() ? token + System.lineSeparator() : token);
            spec.commandLine().getOut().flush();
        }
    }

    /** In a file there is no line break behind the token: gRPC's C core (Python, C++) would send it too, and HTTP/2 has no such header. */
    private static boolean forATerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }
}
