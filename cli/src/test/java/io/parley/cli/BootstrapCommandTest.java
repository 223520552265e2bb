package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.TestControlPlane.Result;
import io.parley.cli.client.ExitCode;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.BootstrapParser;
import io.parley.xds.bootstrap.BootstrapResult;
import io.parley.xds.bootstrap.CallCredentials;
import io.parley.xds.bootstrap.CertificateProvider;
import io.parley.xds.bootstrap.ChannelCredentials;
import io.parley.xds.bootstrap.XdsServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley bootstrap}: what it writes is read by our own client, and what would not work is refused here. */
class BootstrapCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path work;

    private String token = "";
    private String ca = "";

    @BeforeEach
    void files() throws IOException {
        token = Files.writeString(work.resolve("web-1.token"), "t").toString();
        ca = Files.writeString(work.resolve("ca.pem"), "c").toString();
    }

    @Test
    void withATokenItIsForTheControlPlanesPort() {
        Bootstrap bootstrap = written("--dataplane-token", token, "--ca", ca);

        XdsServer server = bootstrap.servers().getFirst();
        assertThat(server.uri()).isEqualTo("localhost:5678");
        assertThat(server.features()).containsExactly("xds_v3");
        assertThat(server.callCredentials()).containsExactly(new CallCredentials.JwtTokenFile(Path.of(token)));
        assertThat(server.channelCredentials())
                .isEqualTo(new ChannelCredentials.Tls(Path.of(ca), null, ChannelCredentials.Tls.DEFAULT_REFRESH));
        assertThat(bootstrap.node().getId()).isEqualTo("web-1");
        assertThat(bootstrap.serverListenerTemplate())
                .as("without one a gRPC server does not serve")
                .isEqualTo("grpc/server?xds.resource.listening_address=%s");
    }

    @Test
    void aLineBreakBehindTheTokenIsToldOf() throws IOException {
        String[] options = {"bootstrap", "--name", "web-1", "--dataplane-token", token, "--ca", ca};
        assertThat(TestControlPlane.run(Map.of(), options).err()).isEmpty();

        Files.writeString(Path.of(token), "t\n");

        Result told = TestControlPlane.run(Map.of(), options);
        assertThat(told.exit()).isZero();
        assertThat(told.err()).contains(token + ": a line break or space around the token");
    }

    @Test
    void theAuthorityIsFoundInTheDataFolder() {
        XdsServer server = written("--dataplane-token", token, "--data", work.toString())
                .servers()
                .getFirst();

        assertThat(server.channelCredentials())
                .isEqualTo(new ChannelCredentials.Tls(Path.of(ca), null, ChannelCredentials.Tls.DEFAULT_REFRESH));
    }

    @Test
    void insecureIsForTheLocalPort() {
        XdsServer server =
                written("--insecure", "--xds-version", "v2").servers().getFirst();

        assertThat(server.uri()).isEqualTo("localhost:5677");
        assertThat(server.channelCredentials()).isEqualTo(new ChannelCredentials.Insecure());
        assertThat(server.features()).isEmpty();
    }

    @Test
    void aCertificateGoesUnderTheNameThatTheControlPlaneUses() {
        Bootstrap bootstrap = written("--insecure", "--certificate", token, "--private-key", token, "--roots", ca);

        assertThat(bootstrap.certificateProviders())
                .containsOnly(Map.entry(
                        "parley",
                        new CertificateProvider.FileWatcher(
                                new ChannelCredentials.KeyFiles(Path.of(token), Path.of(token)),
                                Path.of(ca),
                                ChannelCredentials.Tls.DEFAULT_REFRESH)));
    }

    @Test
    void refusesWhatNoProgramCouldUse() {
        String gone = work.resolve("gone").toString();
        refused(
                "--dataplane-token: missing (expected: a file made by 'parley token dataplane --name web-1'",
                "--ca",
                ca);
        refused("--dataplane-token: " + gone + ": no such file", "--dataplane-token", gone, "--ca", ca);
        refused("--ca: " + gone + ": no such file", "--dataplane-token", token, "--ca", gone);
        refused("a token is not sent in plain text", "--insecure", "--dataplane-token", token);
        refused("--server: nowhere (expected: HOST:PORT)", "--insecure", "--server", "nowhere");
    }

    private static void refused(String why, String... options) {
        Result result = run(options);
        assertThat(result.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(result.err()).contains(why);
        assertThat(result.out()).isEmpty();
    }

    private static Bootstrap written(String... options) {
        Result result = run(options);
        assertThat(result.exit()).as(result.err()).isZero();
        BootstrapResult read = BootstrapParser.parse(result.out().getBytes(StandardCharsets.UTF_8));
        return switch (read) {
            case BootstrapResult.Loaded(Bootstrap bootstrap) -> bootstrap;
            case BootstrapResult.Rejected rejected -> throw new AssertionError(rejected);
        };
    }

    private static Result run(String... options) {
        List<String> args = new ArrayList<>(List.of("bootstrap", "--name", "web-1"));
        args.addAll(List.of(options));
        return TestControlPlane.run(Map.of(), args.toArray(String[]::new));
    }
}
