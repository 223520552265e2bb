package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.TestControlPlane.Result;
import io.parley.cli.client.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people get wrong is answered with the option, the value and what was expected, and never with a stack trace. */
class TypingMistakesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:5678", "localhost:5678", "https:///x"})
    void aControlPlaneIsJoinedByHttps(String url) throws IOException {
        String expected = "--control-plane: " + url + " (expected: https://HOST:PORT)";
        String[] member = {"--control-plane", url, "--token", file("token"), "--ca", file("ca.pem")};

        refused(expected, with(member, "proxy", "--name", "web-1"));
        refused(expected, with(member, "gateway", "--name", "edge"));
        refused(expected, with(member, "certificate", "--name", "web-1", "--out", folder.toString()));
    }

    @Test
    void aFileThatIsNotThereIsNamedWithItsOption() throws IOException {
        String gone = folder.resolve("gone").toString();
        String url = "https://localhost:1";

        refused("--static: " + gone + ": no such file", "proxy", "--static", gone);
        refused("--bootstrap: " + gone + ": no such file", "proxy", "--bootstrap", gone);
        refused("--static: " + folder + ": a folder (expected: a file)", "proxy", "--static", folder.toString());
        refused(
                "--token: " + gone + ": no such file",
                with(
                        new String[] {"--control-plane", url, "--token", gone, "--ca", file("ca.pem")},
                        "proxy",
                        "--name",
                        "a"));
        refused(
                "--ca: " + gone + ": no such file",
                with(
                        new String[] {"--control-plane", url, "--token", file("token"), "--ca", gone},
                        "proxy",
                        "--name",
                        "a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nohost.invalid:80", "0.0.0.0", "127.0.0.1:77777", "x"})
    void anAddressIsRefusedByTheNameOfItsOption(String address) throws IOException {
        String file = file("config.yaml");

        for (String option : List.of("--api", "--listen", "--local-xds")) {
            assertThat(refused(address + " (expected: HOST:PORT", "control-plane", option, address))
                    .contains("'" + option + "'");
        }
        assertThat(refused(address + " (expected: HOST:PORT", "proxy", "--static", file, "--admin", address))
                .contains("'--admin'");
        assertThat(refused(address + " (expected: HOST:PORT", "demo", "--api", address))
                .contains("'--api'");
        Result fromEnvironment = TestControlPlane.run(Map.of("PARLEY_LISTEN", address), "control-plane");
        assertThat(fromEnvironment.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(fromEnvironment.err()).contains("'--listen'", address);
    }

    @Test
    void aStoreThatIsNoneIsRefusedWithoutShowingAPassword() {
        assertThat(refused("PostgreSQL URL without user", store("postgres://localhost:1/x")))
                .contains("'--store'", "postgres://USER:PASSWORD@HOST:PORT/DATABASE");
        assertThat(refused("PostgreSQL URL option: bogus", store("postgres://u:secret@localhost:1/x?bogus=1")))
                .contains("'--store'")
                .doesNotContain("secret");
        for (String text : new String[] {
            "postgre://u:secret@localhost:1/x",
            "postgres://localhost/x?user=u&password=secret",
            "postgres://u:secret",
            "jdbc:postgresql://localhost/x?password=secret"
        }) {
            assertThat(parley(store(text)).err())
                    .contains("'--store'", "expected")
                    .doesNotContain("secret");
        }
        assertThat(refused("redis (expected: sqlite, memory or postgres://", store("redis")))
                .contains("'--store'");
    }

    @Test
    void aStoreThatDoesNotAnswerHasItsOwnExitCode() {
        Result result = parley(store("postgres://u:secret@localhost:1/x"));

        assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.UNREACHABLE.number());
        assertThat(result.err())
                .startsWith("parley: the control plane cannot start: ")
                .doesNotContain("secret");
    }

    @Test
    void whatIsForZonesIsNotIgnoredElsewhere() {
        String expected = "--zone, --global, --token: only with --mode zone";
        String[] zone = {"--zone", "zone-1", "--global", "grpcs://localhost:1", "--token", "t"};

        refused(expected, with(zone, "control-plane"));
        refused(expected, with(zone, "control-plane", "--mode", "global"));
        Result fromEnvironment = TestControlPlane.run(Map.of("PARLEY_GLOBAL_CA", "ca.pem"), "control-plane");
        assertThat(fromEnvironment.err()).contains("--global-ca: only with --mode zone");
    }

    @Test
    void aMistakeIsNotFollowedByAllOptions() {
        assertThat(refused("Unknown options: '--dat'", "control-plane", "--dat", "x"))
                .contains("See 'parley control-plane --help'.")
                .hasLineCount(3);
        assertThat(refused("Missing required option: '--file=FILE|DIR|-'", "apply"))
                .contains("See 'parley apply --help'.");
    }

    @Test
    void aFolderWithoutAControlPlaneIsNamed() {
        String gone = folder.resolve("gone").toString();

        refused("--data: " + gone + ": no control plane has kept anything there", "get", "meshes", "--data", gone);
    }

    @Test
    void helpNamesWhatThereIs() {
        assertThat(parley("completion", "--help").out())
                .contains("Usage: parley completion", "source <(parley completion)")
                .doesNotContain("generate-completion");
        for (String command : List.of("demo", "control-plane", "proxy", "gateway", "bootstrap", "certificate", "get")) {
            assertThat(parley(command, "--help").out()).as(command).contains("--config=FILE");
        }
    }

    private String[] store(String url) {
        return new String[] {
            "control-plane",
            "--data",
            folder.toString(),
            "--api",
            "127.0.0.1:0",
            "--listen",
            "127.0.0.1:0",
            "--store",
            url
        };
    }

    private String file(String name) throws IOException {
        return Files.writeString(folder.resolve(name), "").toString();
    }

    private static String[] with(String[] options, String... command) {
        return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
    }

    /** What was said. */
    private static String refused(String because, String... arguments) {
        Result result = parley(arguments);
        assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.USAGE.number());
        assertThat(result.err()).startsWith("parley: ").contains(because).doesNotContain("internal error");
        return result.err();
    }

    private static Result parley(String... arguments) {
        return TestControlPlane.run(Map.of(), arguments);
    }
}
