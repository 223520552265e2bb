package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.agreement.port.PortSet;
import io.parley.cli.FreePorts;
import io.parley.cli.demo.LocalMesh;
import io.parley.control.app.HostPort;
import io.parley.proxy.intercept.Interception;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A workload whose connections the kernel brings to its proxy calls a service by the address of its host name, which nobody has. */
class InterceptedNamesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int INBOUND = 24143;
    private static final int OUTBOUND = 24140;

    @TempDir
    private Path folder;

    @Test
    void aNameLeadsToItsServiceThroughTheProxy() throws Exception {
        assumeTrue(
                run("ip link set lo up && iptables -t nat -L -n").code() == 0,
                "needs root, iproute2, iptables and a kernel that allows network namespaces");
        Path rules = Files.writeString(
                folder.resolve("rules.sh"),
                new Interception(INBOUND, OUTBOUND, 2102, PortSet.EMPTY, PortSet.EMPTY)
                        .script(Interception.Families.IPV4_AND_IPV6));
        Outcome outcome = run("""
            ip link set lo up
            ip link add name net type dummy 2>/dev/null || ip tuntap add dev net mode tap
            ip addr add 10.99.0.1/24 dev net
            ip link set net up
            ip route add default via 10.99.0.2 2>/dev/null || true
            sh %s
            exec %s -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '%s' %s %s
            """.formatted(
                        rules,
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        System.getProperty("java.class.path"),
                        InterceptedNamesTest.class.getName(),
                        folder));
        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(outcome.output()).contains("v1.orders.mesh answered 1");
    }

    private record Outcome(int code, String output) {}

    private static Outcome run(String script) throws InterruptedException {
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

    /** Runs inside the namespace: a mesh, a service of two versions, and a client that dials what the control plane says. */
    public static void main(String[] arguments) throws Exception {
        try (Orders first = Orders.start("1");
                Orders second = Orders.start("2");
                LocalMesh mesh = LocalMesh.start(
                        Path.of(arguments[0], "mesh"), HostPort.parse("127.0.0.1:0"), HostPort.parse("127.0.0.1:0"))) {
            mesh.apply(orders(first) + orders(second) + """
                ---
                type: VirtualOutbound
                mesh: default
                name: by-version
                selectors: [{match: {kuma.io/service: "*", version: "*"}}]
                conf:
                  host: "{{.version}}.{{.service}}.mesh"
                  port: "80"
                  parameters: [{name: service, tagKey: kuma.io/service}, {name: version}]
                ---
                type: Dataplane
                mesh: default
                name: web-1
                networking:
                  address: 127.0.0.1
                  inbound: [{port: 8080, tags: {kuma.io/service: web}}]
                  transparentProxying: {redirectPortInbound: %d, redirectPortOutbound: %d}
                """.formatted(INBOUND, OUTBOUND));
            for (String name : List.of("orders-1", "orders-2", "web-1")) {
                var program = mesh.join(name, _ -> {});
                await().atMost(PATIENCE).until(() -> program.proxy().isReady());
            }
            for (JsonNode name :
                    mesh.api().get("/meshes/default/inspect/names").body().path("items")) {
                System.out.println(name.path("host").asText() + " answered "
                        + get(name.path("address").asText()));
            }
        }
    }

    private static String get(String address) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://" + address + "/"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static String orders(Orders application) throws IOException {
        return """
            ---
            type: Dataplane
            mesh: default
            name: orders-%1$s
            networking:
              address: 127.0.0.1
              inbound:
                - port: %2$d
                  servicePort: %3$d
                  serviceAddress: 127.0.0.1
                  tags: {kuma.io/service: orders, kuma.io/protocol: http, version: v%1$s}
            """.formatted(application.name(), FreePorts.next(), application.httpPort());
    }
}
