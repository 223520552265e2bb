package io.parley.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Does once what users do all day, for the JVM to learn which classes that takes (JEP 483). Run by the build only, as two programs
 * at once, because a short command must not load what only a server needs.
 */
final class Training {
    private static final String MANIFEST = """
        type: MeshTimeout
        mesh: default
        name: trained
        spec:
          targetRef: {kind: Mesh}
          to:
            - targetRef: {kind: Mesh}
              default: {idleTimeout: 20s}
        """;

    private Training() {}

    /** {@code server DIR} runs a control plane until {@code DIR/done} appears; {@code client DIR} uses it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path data = Path.of(args[1]);
        if (args[0].equals("server")) {
            serve(data);
        } else {
            use(data);
        }
        System.exit(0);
    }

    private static void serve(Path data) throws InterruptedException {
        Thread server = Thread.ofPlatform()
                .daemon()
                .start(() -> Parley.run(
                        Map.of(),
                        System.out,
                        System.err,
                        "control-plane",
                        "--data",
                        data.toString(),
                        "--api",
                        "127.0.0.1:0",
                        "--listen",
                        "127.0.0.1:0"));
        while (server.isAlive() && !Files.exists(data.resolve("done"))) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static void use(Path data) throws IOException {
        Path manifest = Files.writeString(data.resolve("manifest.yaml"), MANIFEST);
        for (List<String> command : List.of(
                List.of("apply", "-f", manifest.toString()),
                List.of("get", "meshtimeouts"),
                List.of("get", "meshtimeout", "trained", "-o", "yaml"),
                List.of("get", "meshes", "-o", "json"),
                List.of("delete", "meshtimeout", "trained"),
                List.of("token", "user", "--name", "trainee"),
                List.of("version"),
                List.of("--help"))) {
            int exit = Parley.run(
                    Map.of("PARLEY_DATA", data.toString()), System.out, System.err, command.toArray(new String[0]));
            if (exit != 0) {
                throw new IllegalStateException("parley " + String.join(" ", command) + " returned " + exit);
            }
        }
    }
}
