package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways whose control plane starts again, and whose proxies cannot have all that is wanted of them. */
class GatewayLifeTest {
    private static final String SPACE = "life";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    @Test
    void case38_aRestartOfTheControlPlaneChangesNoStatusAndStopsNoTraffic() {
        int port = FreePorts.next();
        int web = FreePorts.next();
        TestControlPlane first = TestControlPlane.startLasting(data, port);
        try (GatewayBed bed = new GatewayBed(first, SPACE)) {
            bed.service("one", "80");
            bed.gateway("edge", "- {name: web, port: %d, protocol: HTTP}".formatted(web));
            bed.route("HTTPRoute", "r", "edge", "one", 80);
            bed.http().expectBackend(get(web, "any.example", "/"), "one");
            bed.expectConditions("httproutes", "r", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
            JsonNode gateway = bed.object("gateways", SPACE, "edge").at("/status/conditions");
            JsonNode route = bed.object("httproutes", SPACE, "r").path("status");
            first.close();
            bed.http().expectBackend(get(web, "any.example", "/"), "one");

            try (TestControlPlane _ = TestControlPlane.startLasting(data, port)) {
                bed.http().expectBackend(get(web, "any.example", "/"), "one");
                bed.service("two", "80");
                bed.route("HTTPRoute", "new", "{name: edge}", """
                    hostnames: [new.example]
                    rules: [{backendRefs: [{name: two, port: 80}]}]
                    """);
                bed.http().expectBackend(get(web, "new.example", "/"), "two");

                assertThat(bed.object("gateways", SPACE, "edge").at("/status/conditions"))
                        .as("with the times since when they hold")
                        .isEqualTo(gateway);
                assertThat(bed.object("httproutes", SPACE, "r").path("status")).isEqualTo(route);
            }
        } finally {
            first.close();
        }
    }

    @Test
    void aPortThatIsTakenIsToldByItsListenerAndTheOthersServe() throws IOException {
        int web = FreePorts.next();
        try (TestControlPlane controlPlane = TestControlPlane.start(data);
                GatewayBed bed = new GatewayBed(controlPlane, SPACE)) {
            int port;
            bed.service("one", "80");
            try (ServerSocket taken = new ServerSocket(FreePorts.next(), 1, InetAddress.getLoopbackAddress())) {
                port = taken.getLocalPort();
                bed.gateway("edge", """
                    - {name: web, port: %d, protocol: HTTP}
                    - {name: taken, port: %d, protocol: HTTP}
                    """.formatted(web, port));
                bed.route("HTTPRoute", "r", "edge", "one", 80);

                bed.http().expectBackend(get(web, "any.example", "/"), "one");
                expectListener(bed, 0, "Programmed=True/Programmed");
                expectListener(bed, 1, "Programmed=False/PortUnavailable");
                assertThat(bed.object("gateways", SPACE, "edge").toString())
                        .contains("a proxy cannot listen on 127.0.0.1:" + port);
            }
            expectListener(bed, 1, "Programmed=True/Programmed");
            bed.http().expectBackend(get(port, "any.example", "/"), "one");
        }
    }

    @Test
    void gatewayStaticAddresses_oneThatTheMachineHasNotIsNotUsable() {
        try (TestControlPlane controlPlane = TestControlPlane.start(data);
                GatewayBed bed = new GatewayBed(controlPlane, SPACE)) {
            int web = FreePorts.next();
            bed.gateway("edge", "- {name: web, port: %d, protocol: HTTP}".formatted(web));
            bed.apply("""
                apiVersion: gateway.networking.k8s.io/v1
                kind: Gateway
                metadata: {name: edge, namespace: life}
                spec:
                  gatewayClassName: parley
                  addresses: [{value: 127.0.0.1}, {value: 203.0.113.7}]
                  listeners: [{name: web, port: %d, protocol: HTTP}]
                """.formatted(web));

            Patience.until(
                    "edge",
                    () -> assertThat(bed.conditionsAt("gateways", "edge", "/status/conditions"))
                            .contains("Accepted=True/Accepted", "Programmed=False/AddressNotUsable"));
        }
    }

    private static void expectListener(GatewayBed bed, int index, String condition) {
        Patience.until(condition, () -> {
            List<String> found = bed.conditionsAt("gateways", "edge", "/status/listeners/" + index + "/conditions");
            assertThat(found).contains(condition);
        });
    }
}
