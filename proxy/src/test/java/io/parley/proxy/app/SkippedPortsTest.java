package io.parley.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parley.agreement.port.PortList;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.intercept.Interception;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the kernel brings to the proxy and what it leaves alone, between two network namespaces: on this side the proxy, run by root, and an
 * application of another user; on the other a server and a client. Each port answers how it was reached.
 */
class SkippedPortsTest {
    private static final String HERE = "10.99.1.1";
    private static final String THERE = "10.99.1.2";
    private static final int PROXY_USER = 0;
    private static final String AS_APPLICATION = "setpriv --reuid=2102 --regid=2102 --clear-groups ";

    /** The two namespaces, joined by a cable; {@code $there} is a process in the other one. */
    private static final String CABLE = """
        ip link set lo up
        unshare --net sleep 100 & there=$!
        trap 'kill $there' EXIT
        until [ "$(readlink /proc/$there/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
        ip link add name v0 type veth peer name v1 netns $there
        ip addr add 10.99.1.1/24 dev v0
        ip link set v0 up
        export in_there="nsenter --net=/proc/$there/ns/net"
        $in_there ip addr add 10.99.1.2/24 dev v1
        $in_there ip link set v1 up
        """;

    @TempDir
    Path folder;

    @Test
    void case38_whatIsSkippedIsReachedDirectlyAndAllElseThroughTheProxy() throws Exception {
        assumeTrue(
                run(CABLE + "iptables -t nat -L -n && setpriv --version && bash --version")
                                .code()
                        == 0,
                "needs root, iproute2, iptables, bash and a kernel that allows network namespaces");
        Path rules = Files.writeString(
                folder.resolve("rules.sh"),
                new Interception(
                                24143,
                                24140,
                                PROXY_USER,
                                PortList.parse("8081").ports(),
                                PortList.parse("7778").ports())
                        .script(Interception.Families.IPV4));
        Path ready = folder.resolve("ready");
        Outcome outcome = run(CABLE + "sh " + rules + "\nmkfifo " + ready + "\n$in_there " + java("there")
                + " & peer=$!\ntrap 'kill $peer $there' EXIT\nread word <" + ready + "\n" + java("here"));
        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(outcome.output().lines())
                .contains(
                        "outbound: by the proxy",
                        "skipped outbound: directly",
                        "inbound: by the proxy",
                        "skipped inbound: directly");
    }

    private String java(String side) {
        return String.join(
                " ",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                "'" + System.getProperty("java.class.path") + "'",
                SkippedPortsTest.class.getName(),
                side,
                folder.toString());
    }

    private record Outcome(int code, String output) {}

    private static Outcome run(String script) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder("unshare", "--net", "sh", "-ec", script)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Outcome(process.exitValue(), output);
        } catch (IOException e) {
            return new Outcome(127, String.valueOf(e.getMessage()));
        }
    }

    /** Runs inside one of the namespaces. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        if (arguments[0].equals("there")) {
            // The proxy leads to 7779 who asks for 7777, where nobody listens; its own dial must not come back to it.
            greet(THERE, 7778, "directly");
            Thread last = greet(THERE, 7779, "by the proxy");
            Files.writeString(folder.resolve("ready"), "ready\n");
            last.join();
        } else {
            here(folder);
        }
    }

    private static void here(Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("proxy.yaml"), """
            accessLog: none
            inbound:
              address: "0.0.0.0:24143"
              destinations: kernel
              strangers: allowed
            outbound:
              address: "0.0.0.0:24140"
              destinations: kernel
              unknown: refuse
              services:
                - {name: echo.test, port: 7777, addresses: ["%1$s:7777"], endpoints: [{address: "%1$s:7779"}]}
            """.formatted(THERE));
        greet("127.0.0.1", 8080, "by the proxy");
        greet("127.0.0.1", 8081, "by the proxy");
        greet(HERE, 8081, "directly");
        var overrides = new Overrides(null, null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        PrintStream log = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        try (ProxyProgram _ = ProxyProgram.start(
                new ProxyProgram.Options(new Origin.StaticFile(file), overrides, 1), Surroundings.real(), log)) {
            System.out.println("skipped outbound: " + dial(AS_APPLICATION, THERE, 7778));
            System.out.println("outbound: " + dial(AS_APPLICATION, THERE, 7777));
            System.out.println("inbound: " + dial("$in_there ", HERE, 8080));
            System.out.println("skipped inbound: " + dial("$in_there ", HERE, 8081));
        }
        System.exit(0);
    }

    /** The first line that is said there, to who dials from a program that knows nothing of proxies. */
    private static String dial(String how, String host, int port) throws IOException {
        String read = "read -t 20 line </dev/tcp/%s/%d && echo $line".formatted(host, port);
        Process process = new ProcessBuilder("sh", "-c", how + "bash -c '" + read + "' 2>&1").start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static Thread greet(String host, int port, String text) throws IOException {
        ServerSocket server = new ServerSocket(port, 10, InetAddress.getByName(host));
        return Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try (Socket socket = server.accept()) {
                    socket.getOutputStream().write((text + "\n").getBytes(StandardCharsets.US_ASCII));
                } catch (IOException _) {
                    // The next one, then.
                }
            }
        });
    }
}
