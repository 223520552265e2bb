package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.client.ExitCode;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import io.parley.xds.bootstrap.BootstrapParser;
import io.parley.xds.bootstrap.BootstrapResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    private static ControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(new ControlPlaneConfig(
                data,
                HostPort.parse("127.0.0.1:0"),
                HostPort.parse("127.0.0.1:0"),
                null,
                new StoreChoice.Memory(),
                List.of(),
                null,
                null,
                new Mode.Standalone()));
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    /** What a command left behind. */
    record Result(int exit, String out, String err) {}

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
    void writesABootstrapFileThatOurOwnClientReads() throws Exception {
        String text = parley("bootstrap", "--name", "web-1", "--dataplane-token", "web-1.token")
                .out();

        assertThat(text).contains("\"xds_v3\"", "\"id\" : \"web-1\"", "jwt_token_file");
        assertThat(BootstrapParser.parse(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(BootstrapResult.Loaded.class);
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
                .endsWith("\n");
        assertThat(parley("token", "zone", "--zone", "zone-1", "--tenant", "acme")
                        .out())
                .startsWith("ey");
    }

    @Test
    void saysWhatToDoNext() throws Exception {
        Result unreachable = parley("get", "meshes", "--url", "http://127.0.0.1:1");
        Result misspelt = parley("get", "meshtimeoutz");
        Path empty = Files.createDirectory(work.resolve("empty"));
        Result tokenless = run(
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
    void optionsComeFromTheEnvironmentAndAFileToo() throws Exception {
        Path config = Files.writeString(work.resolve("parley.yaml"), "output: json\n");

        assertThat(run(Map.of("PARLEY_DATA", data.toString(), "PARLEY_OUTPUT", "json"), "get", "meshes")
                        .out())
                .startsWith("{");
        assertThat(parley("get", "meshes", "--config", config.toString()).out()).startsWith("{");
        assertThat(parley("get", "meshes", "--config", config.toString(), "-o", "table")
                        .out())
                .startsWith("NAME");
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
        assertThat(parley("completion").out()).contains("complete -F");
        assertThat(parley("nonsense").exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(parley("control-plane", "--store", "mysql").err())
                .contains("expected: sqlite, memory or postgres://");
    }

    private static Result parley(String... args) throws Exception {
        return run(Map.of("PARLEY_DATA", data.toString()), args);
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

    private static Result run(Map<String, String> environment, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = Parley.run(
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
