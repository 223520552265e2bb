package io.parley.cli.proxyless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.cli.Parley;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code parley proxy}, a process of its own that is told by its environment alone where its configuration comes from. */
class ProxyByEnvironmentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NAME = "by-environment";

    @TempDir
    private Path folder;

    /** What the documentation promises. */
    enum Told {
        BOOTSTRAP_FILE {
            @Override
            Map<String, String> variables(MixedMesh mesh) throws IOException {
                return Map.of("GRPC_XDS_BOOTSTRAP", mesh.bootstrap(NAME).toString());
            }
        },
        BOOTSTRAP_TEXT {
            @Override
            Map<String, String> variables(MixedMesh mesh) throws IOException {
                return Map.of("GRPC_XDS_BOOTSTRAP_CONFIG", Files.readString(mesh.bootstrap(NAME)));
            }
        },
        OPTION_BOOTSTRAP {
            @Override
            Map<String, String> variables(MixedMesh mesh) throws IOException {
                return Map.of("PARLEY_BOOTSTRAP", mesh.bootstrap(NAME).toString());
            }
        },
        OPTIONS_OF_A_LINK {
            @Override
            Map<String, String> variables(MixedMesh mesh) {
                return Map.of(
                        "PARLEY_CONTROL_PLANE",
                        "https://localhost:" + mesh.machinePort(),
                        "PARLEY_CA",
                        mesh.caFile().toString(),
                        "PARLEY_TOKEN",
                        mesh.token(NAME).toString(),
                        "PARLEY_NAME",
                        NAME);
            }
        };

        abstract Map<String, String> variables(MixedMesh mesh) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void findsItsConfiguration(Told told) throws Exception {
        try (ServerSocket echo = Echo.start();
                MixedMesh mesh = new MixedMesh(folder)) {
            int outbound = FreePorts.next();
            mesh.apply(Echo.dataplane(NAME, echo.getLocalPort(), outbound, "by-link")
                    + Echo.dataplane("by-link", echo.getLocalPort(), FreePorts.next(), NAME));
            var _ = mesh.join("by-link");
            Process proxy = start(told.variables(mesh));
            try {
                await().atMost(PATIENCE).ignoreExceptions().until(() -> !proxy.isAlive() || Echo.echoes(outbound));
                assertThat(proxy.isAlive()).as(() -> output()).isTrue();
            } finally {
                proxy.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
            }
        }
    }

    private Process start(Map<String, String> variables) throws IOException {
        ProcessBuilder program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parley.class.getName(),
                        "proxy"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("proxy.log").toFile());
        program.environment().keySet().removeIf(name -> name.startsWith("PARLEY_") || name.startsWith("GRPC_"));
        program.environment().putAll(variables);
        program.environment().put("PARLEY_ADMIN", "127.0.0.1:0");
        program.environment().put("PARLEY_THREADS", "1");
        return program.start();
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("proxy.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
