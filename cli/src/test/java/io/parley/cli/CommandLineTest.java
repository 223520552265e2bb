package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.TestControlPlane.Result;
import io.parley.cli.client.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands as people type them, against a control plane in this process. */
class CommandLineTest {
    private static final String TIMEOUT = """
        apiVersion: kuma.io/v1alpha1
        kind: MeshTimeout
        metadata:
          name: timeout-global
          namespace: kuma-system
          labels:
            kuma.io/mesh: default
        spec:
          targetRef:
            kind: Mesh
          to:
            - targetRef:
                kind: Mesh
              default:
                idleTimeout: 20s
                connectionTimeout: 2s
        """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path work;

    @SuppressWarnings("NullAway.Init")
    private static TestControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = TestControlPlane.start(data);
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @Test
    void appliesGetsAndDeletes() throws Exception {
        Path file = Files.writeString(work.resolve("timeout.yaml"), TIMEOUT);

        assertThat(parley("apply", "-f", file.toString()).out())
                .isEqualTo("MeshTimeout/default/timeout-global created\n");
        assertThat(parley("apply", "-f", file.toString()).out())
                .isEqualTo("MeshTimeout/default/timeout-global unchanged\n");
        assertThat(parley("get", "meshtimeouts").out()).contains("MESH", "NAME", "timeout-global");
        assertThat(parley("get", "MeshTimeout", "timeout-global", "-o", "json").out())
                .contains("\"idleTimeout\" : \"20s\"");
        assertThat(parley("delete", "meshtimeout", "timeout-global").out()).contains("deleted");
        assertThat(parley("get", "meshtimeout", "timeout-global").exit()).isEqualTo(ExitCode.NOT_FOUND.number());
    }

    @Test
    void whatWasAppliedComesBackAndCanBeAppliedAgain() throws Exception {
        Path file = Files.writeString(work.resolve("timeout.yaml"), TIMEOUT.replace("timeout-global", "again"));
        parley("apply", "-f", file.toString());

        String yaml = parley("get", "meshtimeout", "again", "-o", "yaml").out();
        Path copy = Files.writeString(work.resolve("copy.yaml"), yaml);

        assertThat(yaml).contains("namespace: kuma-system", "kuma.io/mesh: default", "connectionTimeout: 2s");
        assertThat(parley("apply", "-f", copy.toString()).out()).isEqualTo("MeshTimeout/default/again unchanged\n");
    }

    @Test
    void readsFoldersAndStandardInput() throws Exception {
        Files.writeString(work.resolve("b.yaml"), """
            type: MeshTimeout
            mesh: folder
            name: t
            spec:
              targetRef: {kind: Mesh}
              to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 1s}}]
            """);
        Files.writeString(work.resolve("c.json"), "{\"type\":\"Mesh\",\"name\":\"folder\"}");
        Files.writeString(work.resolve("notes.txt"), "not a manifest");

        assertThat(parley("apply", "-f", work.toString()).out())
                .isEqualTo("Mesh/folder created\nMeshTimeout/folder/t created\n");
        assertThat(parleyReading("type: Mesh\nname: piped\n", "apply", "-f", "-")
                        .out())
                .isEqualTo("Mesh/piped created\n");
        assertThat(parley("apply", "-f", work.toString(), "--dry-run").out()).contains("is valid (dry run)");
    }

    @Test
    void aDryRunTakesWhatComesAlongForThere() throws Exception {
        Files.writeString(work.resolve("a.yaml"), """
            type: MeshTimeout
            mesh: not-yet
            name: t
            spec:
              targetRef: {kind: Mesh}
              to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 1s}}]
            ---
            type: Mesh
            name: not-yet
            """);

        Result result = parley("apply", "--dry-run", "-f", work.toString());

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(parley("get", "mesh", "not-yet").exit()).isEqualTo(ExitCode.NOT_FOUND.number());
    }

    @Test
    void tellsWhoIsConnectedAndWhatAPolicyWouldDo() throws Exception {
        Path policies = Files.writeString(work.resolve("policies.yaml"), """
            type: VersionPolicy
            name: calm
            spec:
              services: [{name: config, off: [{version: v1}]}]
            ---
            type: VersionPolicy
            name: calmer
            spec:
              services: [{name: telemetry, deprecate: [{version: v1, message: soon gone}]}]
            """);

        assertThat(parley("inspect", "dataplanes").out()).startsWith("MESH");
        assertThat(parley("inspect", "dataplane", "no such").exit()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(parley("versions", "preview", "-f", policies.toString()).out())
                .startsWith("MESH   NAME   EFFECT");
        assertThat(parley("get", "versionpolicy", "calm").exit()).isEqualTo(ExitCode.NOT_FOUND.number());
    }

    @Test
    void oneBadManifestStopsThemAllAndEveryFaultIsNamed() throws Exception {
        Files.writeString(work.resolve("a.yaml"), "type: Mesh\nname: good\n");
        Files.writeString(work.resolve("b.yaml"), "type: Mesh\nname: BAD\n---\ntype: Nothing\nname: x\n");

        Result result = parley("apply", "-f", work.toString());

        assertThat(result.exit()).isEqualTo(ExitCode.INVALID.number());
        assertThat(result.err()).contains("nothing was applied", "b.yaml", "BAD", "Nothing");
        assertThat(parley("get", "mesh", "good").exit()).isEqualTo(ExitCode.NOT_FOUND.number());
    }

    @Test
    void issuesTokensThatWork() throws Exception {
        Path token = Files.writeString(
                work.resolve("reader.token"),
                parley("token", "user", "--name", "eve", "--group", "reader").out());

        assertThat(parley("get", "meshes", "--token-file", token.toString()).exit())
                .isZero();
        assertThat(parley("delete", "mesh", "default", "--token-file", token.toString())
                        .exit())
                .isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(parley("token", "dataplane", "--name", "web-1", "--mesh", "default")
                        .out())
                .startsWith("ey")
                .as("what gRPC's C core would send too, if it were in the file")
                .doesNotContainAnyWhitespaces();
        assertThat(parley("token", "zone", "--zone", "zone-1", "--tenant", "acme")
                        .out())
                .startsWith("ey");
    }

    @Test
    void replacesTheKeyThatSignsTokens() throws Exception {
        Path old = Files.writeString(
                work.resolve("old.token"),
                parley("token", "user", "--name", "eve").out());

        String made = parley("token", "new-key").out().strip();
        assertThat(parley("token", "keys").out().lines()).last().isEqualTo(made + "  signs");
        assertThat(parley("get", "meshes", "--token-file", old.toString()).exit())
                .isEqualTo(ExitCode.OK.number());
        String first = parley("token", "keys").out().lines().findFirst().orElseThrow();

        await().until(() -> parley("token", "retire-key", first).out().equals("retired " + first + "\n"));

        assertThat(parley("get", "meshes", "--token-file", old.toString()).exit())
                .isEqualTo(ExitCode.NOT_ALLOWED.number());
        await().untilAsserted(() -> assertThat(parley("token", "keys").out()).isEqualTo(made + "  signs\n"));
        assertThat(parley("token", "retire-key", made).exit()).isEqualTo(ExitCode.CONFLICT.number());
    }

    @Test
    void withdrawsATokenThatLiesInAFile() throws Exception {
        Path token = Files.writeString(
                work.resolve("lost.token"),
                parley("token", "user", "--name", "eve").out());

        assertThat(parley("token", "revoke", "--file", token.toString()).out()).startsWith("revoked ");
        assertThat(parley("get", "meshes", "--token-file", token.toString()).exit())
                .isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(parley("token", "revoke").exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(parley("token", "revoke", "eve").exit()).isEqualTo(ExitCode.INVALID.number());
    }

    @Test
    void saysWhatToDoNext() throws Exception {
        Result unreachable = parley("get", "meshes", "--url", "http://127.0.0.1:1");
        Result misspelt = parley("get", "meshtimeoutz");
        Path empty = Files.createDirectory(work.resolve("empty"));
        Result tokenless = TestControlPlane.run(
                Map.of(),
                "get",
                "meshes",
                "--data",
                empty.toString(),
                "--url",
                controlPlane.apiUrl().toString());

        assertThat(unreachable.exit()).isEqualTo(ExitCode.UNREACHABLE.number());
        assertThat(unreachable.err()).contains("parley control-plane", "--url");
        assertThat(misspelt.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(misspelt.err()).contains("did you mean meshtimeouts?");
        assertThat(tokenless.exit()).isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(tokenless.err()).contains("--token-file");
    }

    @Test
    void aMeshThatIsNotThereHasNoEmptyList() throws Exception {
        Result result = parley("get", "meshtimeouts", "-m", "nomesh");

        assertThat(result.exit()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(result.err()).contains("nomesh");
    }

    @Test
    void anAddressOfSomethingElseIsExplained() throws Exception {
        String machines = "127.0.0.1:" + controlPlane.port();
        Result plain = parley("get", "meshes", "--url", "http://" + machines);
        Result encrypted = parley("get", "meshes", "--url", "https://" + machines);
        Result tls = parley(
                "get", "meshes", "--url", controlPlane.apiUrl().toString().replace("http:", "https:"));

        for (Result result : List.of(plain, encrypted, tls)) {
            assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.UNREACHABLE.number());
            assertThat(result.err()).contains("--api").doesNotContain("java.", "javax.");
        }
        assertThat(plain.err()).contains("does it want https://?");
        assertThat(encrypted.err()).contains("not as the API of a control plane");
        assertThat(tls.err()).contains("does it want http://?");
    }

    @Test
    void optionsComeFromTheEnvironmentAndAFileToo() throws Exception {
        Path config = Files.writeString(work.resolve("parley.yaml"), "output: json\n");

        assertThat(TestControlPlane.run(
                                Map.of("PARLEY_DATA", data.toString(), "PARLEY_OUTPUT", "json"), "get", "meshes")
                        .out())
                .startsWith("{");
        assertThat(parley("get", "meshes", "--config", config.toString()).out()).startsWith("{");
        assertThat(parley("get", "meshes", "--config", config.toString(), "-o", "table")
                        .out())
                .startsWith("NAME");
    }

    @Test
    void whatAsksForHelpIsNoSetting() {
        Result result = TestControlPlane.run(
                Map.of("PARLEY_DATA", data.toString(), "PARLEY_VERSION", "1.2", "PARLEY_HELP", "true"),
                "get",
                "meshes");

        assertThat(result.out()).as(result.err()).startsWith("NAME");
    }

    @Test
    void aMistakeInTheSettingsFileStopsTheCommand() throws Exception {
        Path config = Files.writeString(work.resolve("parley.yaml"), "outputt: json\n");

        assertThat(parley("get", "meshes", "--config", config.toString()).err()).contains("unknown setting outputt");
        assertThat(parley("get", "meshes", "--config", work.resolve("none").toString())
                        .err())
                .contains("no such file");
    }

    @Test
    void helpsAndCompletes() throws Exception {
        assertThat(parley("--help").out()).contains("control-plane", "apply", "token");
        assertThat(parley("help", "apply").out()).contains("--dry-run");
        assertThat(parley("get", "kinds").out()).contains("MeshTimeout", "gateway.networking.k8s.io/HTTPRoute");
        assertThat(parley("version").out()).startsWith("parley ");
        assertThat(parley("apply", "--help").out()).contains("--dry-run");
        assertThat(parley("completion").out()).contains("complete -F");
        assertThat(parley("nonsense").exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(parley("control-plane", "--store", "mysql").err())
                .contains("expected: sqlite, memory or postgres://");
    }

    @Test
    void intervalsOfZoneSynchronisationAreLookedAt() throws Exception {
        assertThat(parley("control-plane", "--mode", "global", "--sync-interval", "Dataplane=5s,Dataplan=5s")
                        .err())
                .contains("--sync-interval: Dataplan=5s (expected: a kind that zones and global exchange");
        assertThat(TestControlPlane.run(
                                Map.of("PARLEY_SYNC_INTERVAL", "Dataplane=fast"), "control-plane", "--mode", "global")
                        .err())
                .contains("--sync-interval: Dataplane=fast (expected: KIND=DURATION or DURATION, from 0s to 60m)");
        Path config = Files.writeString(work.resolve("zones.yaml"), "sync-interval: [Dataplane=5s, 2s]\n");
        assertThat(parley("control-plane", "--config", config.toString()).err())
                .contains("--sync-interval: needs --mode global or zone");
    }

    @Test
    void everyCommandIsListedUnderItsOwnName() {
        Parley.COMMANDS.forEach((name, type) ->
                assertThat(new CommandLine(type).getCommandName()).isEqualTo(name));
    }

    @Test
    void aSettingsFileMayHaveSettingsOfOtherCommands() throws Exception {
        Path config = Files.writeString(work.resolve("parley.yaml"), "local-xds: 127.0.0.1:0\n");

        assertThat(parley("get", "meshes", "--config", config.toString()).out()).startsWith("NAME");
    }

    private static Result parley(String... args) throws Exception {
        return controlPlane.parley(args);
    }

    private static Result parleyReading(String input, String... args) throws Exception {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return parley(args);
        } finally {
            System.setIn(before);
        }
    }
}
