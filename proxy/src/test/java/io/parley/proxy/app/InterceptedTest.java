package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parley.agreement.port.PortSet;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.intercept.Interception;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that the kernel brings to the proxy, in a network namespace of their own. */
class InterceptedTest {
    private static final int PROXY_USER = 2102;

    @TempDir
    Path folder;

    @Test
    void theOriginalDestinationIsKnownForBothFamilies() throws Exception {
        assumeTrue(
                run(List.of(
                                        "unshare",
                                        "--net",
                                        "sh",
                                        "-c",
                                        "ip link set lo up && iptables -t nat -L -n && ip6tables -t nat -L -n"))
                                .code()
                        == 0,
                "needs root, iproute2, iptables and a kernel that allows network namespaces");
        Path rules = Files.writeString(
                folder.resolve("rules.sh"),
                new Interception(24143, 24140, PROXY_USER, PortSet.EMPTY, PortSet.EMPTY)
                        .script(Interception.Families.IPV4_AND_IPV6));
        String setUp = """
            ip link set lo up
            ip link add name svc type dummy 2>/dev/null || ip tuntap add dev svc mode tap
            ip addr add 10.99.0.1/24 dev svc
            ip -6 addr add fd99::1/64 dev svc nodad
            ip link set svc up
            ip route add default via 10.99.0.2 2>/dev/null || true
            ip -6 route add default via fd99::2 2>/dev/null || true
            sh %s && sh %s
            exec %s
            """.formatted(rules, rules, String.join(" ", java()));
        Outcome outcome = run(List.of("unshare", "--net", "sh", "-ec", setUp));
        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(outcome.output()).contains("10.99.0.77:7777 answered").contains("[fd99::77]:7777 answered");
    }

    private List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                "'" + System.getProperty("java.class.path") + "'",
                InterceptedTest.class.getName(),
                folder.toString());
    }

    private record Outcome(int code, String output) {}

    private static Outcome run(List<String> command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Outcome(process.exitValue(), output);
        } catch (IOException e) {
            return new Outcome(127, String.valueOf(e.getMessage()));
        }
    }

    /** Runs inside the namespace: a proxy, an echo server, and a client that dials addresses that nobody has. */
    public static void main(String[] arguments) throws Exception {
        try (Server server = Server.echo()) {
            String services = """
                accessLog: none
                outbound:
                  address: "[::]:24140"
                  destinations: kernel
                  unknown: refuse
                  services:
                    - name: echo.test
                      port: 7777
                      addresses: ["10.99.0.77:7777", "[fd99::77]:7777"]
                      endpoints: [{address: "127.0.0.1:%d"}]
                """.formatted(server.port());
            Path file = Files.writeString(Path.of(arguments[0], "proxy.yaml"), services);
            var overrides = new Overrides(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
            PrintStream log = new PrintStream(java.io.OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
            try (ProxyProgram _ = ProxyProgram.start(
                    new ProxyProgram.Options(new Origin.StaticFile(file), overrides, 1), Surroundings.real(), log)) {
                for (String host : List.of("10.99.0.77", "fd99::77")) {
                    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), 7777);
                    try (Client client = Client.to(address)) {
                        String answer = client.send("hello").read(5);
                        String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
                        System.out.println(shown + ":7777 " + (answer.equals("hello") ? "answered" : "did not answer"));
                    }
                }
            }
        }
    }
}
