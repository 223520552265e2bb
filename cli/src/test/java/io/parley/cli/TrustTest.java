package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.TestControlPlane.Result;
import io.parley.cli.client.ExitCode;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** To whom the command line gives a token. */
class TrustTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void aTokenIsNotSentInClearOverTheNetwork() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret");

        Result result = TestControlPlane.run(
                Map.of(), "get", "meshes", "--url", "http://192.0.2.1:5681", "--token-file", token.toString());

        assertThat(result.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(result.err()).contains("http://192.0.2.1:5681", "https://");
    }

    @Test
    void case12_aServerOfAnotherAuthorityIsNotTrusted() throws Exception {
        Path stranger = folder.resolve("stranger");
        Path own = folder.resolve("own");
        try (ControlPlane other = open(stranger);
                ControlPlane controlPlane = open(own)) {
            Result refused = get(controlPlane, other.caFile());
            Result trusted = get(controlPlane, controlPlane.caFile());

            assertThat(refused.exit()).isEqualTo(ExitCode.UNREACHABLE.number());
            assertThat(refused.err()).contains("not trusted", "--ca");
            assertThat(trusted.exit()).as(trusted.err()).isZero();
        }
    }

    private static Result get(ControlPlane controlPlane, Path ca) {
        return TestControlPlane.run(
                Map.of(),
                "get",
                "meshes",
                "--url",
                controlPlane.apiUrl().toString(),
                "--ca",
                ca.toString(),
                "--token-file",
                controlPlane.adminTokenFile().toString());
    }

    /** Not only on loopback, and so with TLS. */
    private static ControlPlane open(Path data) {
        return ControlPlane.start(new ControlPlaneConfig(
                data,
                HostPort.parse("0.0.0.0:0"),
                HostPort.parse("127.0.0.1:0"),
                null,
                new StoreChoice.Memory(),
                List.of(),
                null,
                null,
                new Mode.Standalone()));
    }
}
