package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.TestControlPlane.Result;
import io.parley.cli.client.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that need no control plane. */
class LocalCommandsTest {
    private static final String DEPLOYMENT = """
        # the shop's front
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
        spec:
          template:
            metadata:
              annotations:
                config.linkerd.io/opaque-ports: "3306,4444-4445"
            spec:
              containers:
                - name: web
                  image: shop/web:1
                  ports:
                    - containerPort: 8080
        """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void injectAddsAProxyAndKeepsWhatWasWritten() throws IOException {
        Result result = parley("inject", "-f", file("web.yaml", DEPLOYMENT), "--image", "parley:9");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out())
                .startsWith("# the shop's front")
                .contains("image: shop/web:1", "parley:9", "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS", "3306,4444-4445");
        assertThat(result.err()).contains("web");
    }

    @Test
    void injectChangesNothingTheSecondTime() throws IOException {
        String once = parley("inject", "-f", file("web.yaml", DEPLOYMENT)).out();
        Result twice = parley("inject", "-f", file("injected.yaml", once));
        assertThat(twice.exit()).isZero();
        assertThat(twice.out()).isEqualTo(once);
    }

    @Test
    void injectSaysWhereAManifestIsWrong() throws IOException {
        String manifest = DEPLOYMENT.replace("4444-4445", "70000");
        Result result = parley("inject", "-f", file("bad.yaml", manifest));
        assertThat(result.exit()).isEqualTo(ExitCode.INVALID.number());
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("bad.yaml", "config.linkerd.io/opaque-ports", "70000");
    }

    @Test
    void injectSaysWhichFileCannotBeRead() {
        Result result = parley("inject", "-f", folder.resolve("absent.yaml").toString());
        assertThat(result.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(result.err()).contains("absent.yaml");
    }

    @Test
    void iptablesPrintsRulesForBothFamiliesThatLeaveTheProxyAlone() {
        Result result = parley("proxy", "iptables", "--proxy-uid", "77", "--skip-outbound-ports", "25,5000-5010");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("iptables", "ip6tables", "--uid-owner 77 -j RETURN", "25,5000:5010", "4143", "4140");
    }

    @Test
    void iptablesRefusesPortsThatAreNone() {
        for (String[] wrong :
                new String[][] {{"--inbound-port", "65536"}, {"--outbound-port", "0"}, {"--skip-inbound-ports", "80-79"}
                }) {
            Result result = parley("proxy", "iptables", wrong[0], wrong[1]);
            assertThat(result.exit()).as(wrong[0]).isEqualTo(ExitCode.USAGE.number());
            assertThat(result.err()).contains(wrong[0]);
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void iptablesSaysWhatItExpectsInThePlaceOfNames() {
        assertThat(parley("proxy", "iptables", "--skip-inbound-ports", "22,foo,9-8")
                        .err())
                .contains("--skip-inbound-ports: foo, 9-8 (expected: ports from 1 to 65535 and ranges of them");
        for (String user : new String[] {"root", "-1", "2147483648"}) {
            Result result = parley("proxy", "iptables", "--proxy-uid=" + user);
            assertThat(result.exit()).isEqualTo(ExitCode.USAGE.number());
            assertThat(result.err()).contains("--proxy-uid: " + user + " (expected: the number of a user");
        }
    }

    @Test
    void iptablesNeverInterceptsTheProxysOwnPorts() {
        Result result = parley("proxy", "iptables", "--skip-inbound-ports", "22");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("--dports 22,4190:4191 -j RETURN");
    }

    @Test
    void iptablesLeavesIpv6OutWhereThereIsNone() {
        assertThat(parley("proxy", "iptables", "--no-ipv6").out()).contains("in iptables; do");
    }

    @Test
    void iptablesPrintsHowTheRulesAreTakenAway() {
        Result result = parley("proxy", "iptables", "--undo");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("in iptables ip6tables; do", "-D PREROUTING", "-D OUTPUT", "-X PROXY_INIT_OUTPUT")
                .doesNotContain("REDIRECT --to-ports");
    }

    @Test
    void iptablesRefusesAUserThatIsNoneAndOnePortForBothWays() {
        assertThat(parley("proxy", "iptables", "--proxy-uid", "-1").err()).contains("--proxy-uid");
        assertThat(parley("proxy", "iptables", "--outbound-port", "4143").err()).contains("--outbound-port");
    }

    @Test
    void aProxyWhosePortsAreTakenSaysWhichAndWhatToDo() throws IOException {
        String config = file("proxy.yaml", "outbound: {address: \"127.0.0.1:0\", destinations: listener}\n");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String admin = "127.0.0.1:" + taken.getLocalPort();
            Result result = parley("proxy", "--static", config, "--admin", admin);
            assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.FAILED.number());
            assertThat(result.err())
                    .contains("cannot listen on " + admin, "--admin HOST:PORT")
                    .doesNotContain("internal error");
        }
    }

    @Test
    void aDelayThatIsNoneIsRefused() throws IOException {
        String config = file("proxy.yaml", "outbound: {address: \"127.0.0.1:0\", destinations: listener}\n");
        for (String wrong : new String[] {"5", "soon", "-1s"}) {
            Result result = parley("proxy", "--static", config, "--drain-delay=" + wrong);
            assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.USAGE.number());
            assertThat(result.err()).contains("--drain-delay: " + wrong + " (expected: a duration of at least 0");
        }
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static Result parley(String... arguments) {
        return TestControlPlane.run(Map.of(), arguments);
    }
}
