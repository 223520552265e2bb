package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TCPRoute and UDPRoute the whole way: the conformance suite's tests of GATEWAY-TCP and GATEWAY-UDP, most of which are the same. */
@ExtendWith(SharedControlPlane.class)
class StreamConformanceTest {
    private static final String NAMESPACE = "streams";
    private static final ByteBackend ONE = new ByteBackend("one");
    private static final ByteBackend TWO = new ByteBackend("two");

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, NAMESPACE);
        bed.endpoint("one", ONE.port(), "9000", "9000/UDP", "9001=kubernetes.io/h2c");
        bed.endpoint("two", TWO.port(), "9000", "9000/UDP");
    }

    @AfterAll
    static void stop() {
        bed.close();
        ONE.close();
        TWO.close();
    }

    /** The ports of a Gateway's two listeners, {@code a} and {@code b}. */
    private record Ports(int a, int b) {}

    /** A Gateway of its own. */
    private static Ports gateway(String protocol, String name) {
        Ports ports = new Ports(FreePorts.next(), FreePorts.next());
        bed.gateway(name, """
            - {name: a, port: %1$d, protocol: %3$s}
            - {name: b, port: %2$d, protocol: %3$s}
            """.formatted(ports.a, ports.b, protocol));
        return ports;
    }

    private static String call(String protocol, int port) throws IOException {
        return call(protocol, port, ByteCalls.SHORT_MILLIS);
    }

    private static String call(String protocol, int port, int patienceMillis) throws IOException {
        return protocol.equals("TCP")
                ? String.valueOf(ByteCalls.tcp(port, patienceMillis))
                : ByteCalls.udp(port, patienceMillis);
    }

    private static void expect(String protocol, int port, String name) {
        Patience.until(
                protocol + " " + port, () -> assertThat(call(protocol, port)).isEqualTo(name));
    }

    private static void route(String protocol, String name, String parent, String refs) {
        bed.route(protocol + "Route", name, parent, "rules: [{backendRefs: [" + refs + "]}]");
    }

    private static String plural(String protocol) {
        return protocol.toLowerCase(Locale.ROOT) + "routes";
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCP", "UDP"})
    void parentRefAttachAll_andPortAndSectionName(String protocol) {
        String gateway = "all-" + plural(protocol);
        Ports ports = gateway(protocol, gateway);
        route(protocol, gateway, "{name: " + gateway + "}", "{name: one, port: 9000}");
        expect(protocol, ports.a, "one");
        expect(protocol, ports.b, "one");
        bed.expectConditions(plural(protocol), gateway, "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");

        route(protocol, gateway, "{name: %s, sectionName: a}".formatted(gateway), "{name: one, port: 9000}");
        route(protocol, gateway + "-b", "{name: %s, port: %d}".formatted(gateway, ports.b), "{name: two, port: 9000}");
        expect(protocol, ports.b, "two");
        expect(protocol, ports.a, "one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCP", "UDP"})
    void multipleRoutesAttachment_theOldestIsServed(String protocol) {
        String gateway = "many-" + plural(protocol);
        int port = gateway(protocol, gateway).a;
        route(protocol, gateway + "-z", "{name: " + gateway + "}", "{name: one, port: 9000}");
        expect(protocol, port, "one");
        route(protocol, gateway + "-a", "{name: " + gateway + "}", "{name: two, port: 9000}");
        bed.expectConditions(
                plural(protocol), gateway + "-a", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
        expect(protocol, port, "one");

        bed.delete(plural(protocol), gateway + "-z");
        expect(protocol, port, "two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCP", "UDP"})
    void weightedRouting(String protocol) {
        String gateway = "weights-" + plural(protocol);
        int port = gateway(protocol, gateway).a;
        route(
                protocol,
                gateway,
                "{name: " + gateway + "}",
                "{name: one, port: 9000, weight: 7}, {name: two, port: 9000, weight: 3}");
        Patience.until("served", () -> assertThat(call(protocol, port)).isIn("one", "two"));
        // By datagrams a client that is given the port of an earlier one is in its session, and takes no turn.
        Patience.until("weights", () -> {
            Map<String, Integer> seen = new TreeMap<>();
            for (int at = 0; at < 20; at++) {
                seen.merge(call(protocol, port, ByteCalls.LONG_MILLIS), 1, Integer::sum);
            }
            assertThat(seen).isEqualTo(Map.of("one", 14, "two", 6));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCP", "UDP"})
    void invalidBackendRefNonexistent_andNotAllowedByListeners(String protocol) {
        String gateway = "bad-" + plural(protocol);
        int port = gateway(protocol, gateway).a;
        route(protocol, gateway, "{name: " + gateway + "}", "{name: nobody, port: 9000}");
        bed.expectConditions(plural(protocol), gateway, "Accepted=True/Accepted", "ResolvedRefs=False/BackendNotFound");
        assertNobody(protocol, port);

        String other = protocol.equals("TCP") ? "UDP" : "TCP";
        route(other, gateway, "{name: " + gateway + "}", "{name: one, port: 9000}");
        bed.expectConditions(
                plural(other), gateway, "Accepted=False/NotAllowedByListeners", "ResolvedRefs=True/ResolvedRefs");
    }

    /** Refused, reset or closed at once; for datagrams, no answer. */
    private static void assertNobody(String protocol, int port) {
        assertThatThrownBy(() -> {
                    String got = call(protocol, port);
                    if (!got.equals("null")) {
                        throw new AssertionError(got);
                    }
                    throw new IOException("closed");
                })
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCP", "UDP"})
    void invalidCrossNamespaceBackendRef_andReferenceGrant(String protocol) {
        String gateway = "far-" + plural(protocol);
        String space = "away-" + plural(protocol);
        int port = gateway(protocol, gateway).a;
        bed.endpointIn(space, "far", TWO.port(), "9000", "9000/UDP");
        route(protocol, gateway, "{name: " + gateway + "}", "{name: far, namespace: " + space + ", port: 9000}");
        bed.expectConditions(plural(protocol), gateway, "Accepted=True/Accepted", "ResolvedRefs=False/RefNotPermitted");
        assertNobody(protocol, port);

        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1beta1
            kind: ReferenceGrant
            metadata: {name: all, namespace: %s}
            spec:
              from: [{group: gateway.networking.k8s.io, kind: %sRoute, namespace: streams}]
              to: [{group: "", kind: Service}]
            """.formatted(space, protocol));
        expect(protocol, port, "two");
    }

    @Test
    void case18_aPortThatDeclaresH2cIsPassedBytesByATcpRoute() {
        int port = gateway("TCP", "h2c-bytes").a;
        route("TCP", "h2c-bytes", "{name: h2c-bytes}", "{name: one, port: 9001}");

        expect("TCP", port, "one");
        bed.expectConditions("tcproutes", "h2c-bytes", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void case19_aPortOfAnotherTransportIsUnsupported() {
        bed.endpoint("only-tcp", ONE.port(), "9000");
        bed.endpoint("only-udp", ONE.port(), "9000/UDP");
        int port = FreePorts.next();
        bed.gateway("transports", """
            - {name: t, port: %1$d, protocol: TCP}
            - {name: u, port: %1$d, protocol: UDP}
            - {name: h, port: %2$d, protocol: HTTP}
            """.formatted(port, FreePorts.next()));
        String[][] pairs = {
            {"TCPRoute", "only-udp"}, {"UDPRoute", "only-tcp"}, {"HTTPRoute", "only-udp"}, {"GRPCRoute", "only-udp"}
        };
        for (String[] each : pairs) {
            boolean byName = each[0].equals("HTTPRoute") || each[0].equals("GRPCRoute");
            bed.route(
                    each[0],
                    "wrong",
                    "{name: transports}",
                    (byName ? "hostnames: [" + each[0].toLowerCase(Locale.ROOT) + ".example]\n" : "")
                            + "rules: [{backendRefs: [{name: " + each[1] + ", port: 9000}]}]");
            bed.expectConditions(
                    each[0].toLowerCase(Locale.ROOT) + "s",
                    "wrong",
                    "Accepted=False/UnsupportedProtocol",
                    "ResolvedRefs=False/UnsupportedProtocol");
        }
        assertNobody("TCP", port);
        assertNobody("UDP", port);
    }

    @Test
    void case20_onePortNumberIsTwoPorts() {
        try (EchoBackend http = new EchoBackend("http")) {
            bed.apply("""
                apiVersion: v1
                kind: Service
                metadata: {name: dns, namespace: streams}
                spec: {ports: [{name: t, port: 53}, {name: u, port: 53, protocol: UDP}, {name: s, port: 54, protocol: SCTP}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: dns-1, namespace: streams, labels: {kubernetes.io/service-name: dns}}
                addressType: IPv4
                endpoints: [{addresses: [127.0.0.1]}]
                ports: [{name: u, port: %d, protocol: UDP}, {name: t, port: %d}]
                """.formatted(ONE.port(), http.port()));
            int port = FreePorts.next();
            bed.gateway("dns", """
                - {name: h, port: %1$d, protocol: HTTP}
                - {name: u, port: %1$d, protocol: UDP}
                """.formatted(port));
            bed.route("HTTPRoute", "dns", "dns", "dns", 53);
            bed.route("UDPRoute", "dns", "dns", "dns", 53);

            bed.http().expectBackend(get(port, "any.example", "/"), "http");
            expect("UDP", port, "one");

            bed.route("HTTPRoute", "sctp", "dns", "dns", 54);
            bed.expectConditions(
                    "httproutes",
                    "sctp",
                    "Accepted=False/UnsupportedProtocol",
                    "ResolvedRefs=False/UnsupportedProtocol");
            assertThat(bed.object("httproutes", NAMESPACE, "sctp").toString())
                    .contains("port 54 of Service/streams/dns has SCTP only, and an HTTPRoute carries TCP");
        }
    }
}
