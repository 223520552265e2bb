package io.parley.proxy.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.HttpDefaults;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.HttpTimeouts;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.wire.header.HeaderMagic;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaticFileTest {
    @Test
    void theShortestFileHasTheDefaults() {
        StaticConfig config = accepted("inbound: {}\noutbound: {}\n", Overrides.NONE);
        assertThat(config.proxy().timeouts()).isEqualTo(Timeouts.DEFAULT);
        assertThat(config.proxy().http()).isEqualTo(HttpDefaults.USUAL);
        assertThat(config.admin()).isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4191));
        assertThat(config.identity()).isNull();
        assertThat(config.proxy().listeners())
                .extracting(listener -> listener.address().getPort())
                .containsExactly(4140, 4143);
        Routing.ToApplication inbound = inbound(config);
        assertThat(inbound.port(3306).declared().value()).isEqualTo(Protocol.OPAQUE);
        assertThat(inbound.port(3306).declared().source().rule()).isEqualTo("default-opaque-ports");
        assertThat(inbound.port(8080).declared().value()).isEqualTo(Protocol.DETECT);
        assertThat(inbound.port(8080).authorization().strangers()).isEqualTo(Strangers.REFUSED);
    }

    @Test
    void everyKeyIsRead() {
        StaticConfig config = accepted(EVERYTHING, Overrides.NONE);
        assertThat(config.proxy().timeouts().detect()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.proxy().http())
                .isEqualTo(new HttpDefaults(
                        new HttpTimeouts(
                                Duration.ofSeconds(5),
                                Duration.ofMinutes(10),
                                Duration.ofMinutes(2),
                                Duration.ofMinutes(3)),
                        HttpLimits.DEFAULT.withBody(10_000_000_000L),
                        Duration.ofSeconds(20)));
        assertThat(Objects.requireNonNull(config.identity()).trust().toString()).isEqualTo("ca.pem");
        assertThat(config.accessLog()).isEqualTo(StaticConfig.AccessLogFormat.JSON);
        Routing.ToApplication inbound = inbound(config);
        assertThat(inbound.port(4321).declared().value()).isEqualTo(Protocol.OPAQUE);
        assertThat(inbound.port(25).declared().value()).isEqualTo(Protocol.DETECT);
        assertThat(inbound.port(80).declared().source().field()).isEqualTo("inbound.ports[0].protocol");
        assertThat(Objects.requireNonNull(inbound.port(80).http()).forwarding())
                .isEqualTo(Forwarding.FROM_NAMED_MEMBERS);
        assertThat(inbound.port(81).http()).isNull();
        assertThat(inbound.passOn("db.svc.cluster.local", 3306)).isPresent();
        assertThat(inbound.passOn("db.svc.cluster.local", 3307)).isEmpty();
        var endpoint = Objects.requireNonNull(config.proxy().clusters().get("db.svc.cluster.local:3306"))
                .endpoints()
                .getFirst();
        var mesh = Objects.requireNonNull(endpoint.mesh());
        assertThat(mesh.magic()).isEqualTo(HeaderMagic.DOCUMENT);
        assertThat(mesh.serverName()).isEqualTo("db.mesh");
        assertThat(mesh.hint()).isEqualTo(Protocol.OPAQUE);
    }

    @Test
    void aServiceIsSpokenToInTheVersionOfHttpThatTheFileSays() {
        String key = "db.svc.cluster.local:3306";
        var clusters = accepted(EVERYTHING, Overrides.NONE).proxy().clusters();
        assertThat(Objects.requireNonNull(clusters.get(key)).http().version()).isEqualTo(HttpUpstream.Version.HTTP1);
    }

    @Test
    void allMistakesAreReportedWithTheirPath() {
        assertThat(rejected("""
            inbond: {}
            inbound:
              strangers: maybe
              opaquePorts: "80-79,x"
              ports: [{port: 0}]
            outbound:
              services:
                - name: "a..b"
                  port: 80
                  endpoints: [{address: "no_where"}, {address: "1.1.1.1:1", identity: "me", proxy: "1.1.1.1:2"}]
            """))
                .extracting(Violation::path)
                .contains(
                        "inbond",
                        "inbound.strangers",
                        "inbound.opaquePorts",
                        "inbound.ports[0].port",
                        "outbound.services[0].name",
                        "outbound.services[0].endpoints[0].address",
                        "outbound.services[0].endpoints[1].identity");
    }

    @Test
    void aPortHasOneEntry() {
        assertThat(rejected("inbound: {ports: [{port: 80, strangers: refused}, {port: 80, strangers: allowed}]}"))
                .singleElement()
                .hasToString("inbound.ports[1].port: 80 is there twice (expected: one entry for each port)");
    }

    @Test
    void whatIsSaidOfHttpHasItsMistakesReportedToo() {
        assertThat(rejected("""
            http: {maxBody: -1, headTimeout: 5, requestTimeout: -1s, streamIdle: soon, maxHead: 1}
            outbound: {}
            """))
                .extracting(Violation::path)
                .containsExactlyInAnyOrder(
                        "http.maxBody", "http.headTimeout", "http.requestTimeout", "http.streamIdle", "http.maxHead");
        assertThat(rejected("http: {maxBody: 1.5}\noutbound: {}\n"))
                .singleElement()
                .hasToString("http.maxBody: 1.5 (expected: a whole number of bytes, 0 for no limit)");
        assertThat(accepted("http: {timeout: 0s, idle: 0s}\noutbound: {}\n", Overrides.NONE)
                        .proxy()
                        .http()
                        .answer())
                .isNull();
    }

    @Test
    void endpointsMayHaveNames() {
        var endpoints = Objects.requireNonNull(
                        accepted("""
                            outbound:
                              services:
                                - name: db
                                  port: 5432
                                  endpoints:
                                    - {address: "db.internal:5432"}
                                    - {address: "my_db:1"}
                                    - {address: "localhost:2"}
                                    - {address: "10.0.0.1:3", proxy: "edge.example.:4143", identity: "spiffe://mesh/db"}
                            """, Overrides.NONE).proxy().clusters().get("db:5432"))
                .endpoints();
        assertThat(endpoints)
                .extracting(Endpoint::dialled)
                .containsExactly(
                        InetSocketAddress.createUnresolved("db.internal", 5432),
                        InetSocketAddress.createUnresolved("my_db", 1),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 2),
                        InetSocketAddress.createUnresolved("edge.example.", 4143));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b:1",
                "-a:1",
                "a..b:1",
                "10.0.0.256:1",
                "10.0.1:1",
                "1:1",
                ":1",
                "db",
                "db:",
                "db:65536",
                "a/b:1",
                "::1:25",
                "ünter:1"
            })
    void whatCannotBeAHostNameIsRefused(String address) {
        assertThat(rejected("outbound: {services: [{name: a, port: 1, endpoints: [{address: \"" + address + "\"}]}]}"))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.path()).isEqualTo("outbound.services[0].endpoints[0].address");
                    assertThat(violation.message()).contains(address, "host name");
                });
    }

    @Test
    void whatIsListenedOnHasNoName() {
        assertThat(rejected("""
            admin: "edge.example:4191"
            outbound:
              address: "edge.example:4140"
              services:
                - {name: a, port: 1, listen: "edge.example:1", addresses: ["edge.example:2"], endpoints: [{address: "a:1"}]}
            """))
                .extracting(Violation::path)
                .containsExactlyInAnyOrder(
                        "admin",
                        "outbound.address",
                        "outbound.services[0].listen",
                        "outbound.services[0].addresses[0]");
    }

    @Test
    void whereThereAreNoRequestsNobodyIsToldWhoAsks() {
        assertThat(rejected("inbound: {ports: [{port: 80, protocol: opaque, callers: told}]}"))
                .extracting(Violation::toString)
                .containsExactly("inbound.ports[0].callers: told (expected: untold, as a port that is opaque has no"
                        + " requests)");
    }

    @Test
    void aPortAtTheEdgeKnowsHowManyProxiesBeforeItAreTrusted() {
        StaticConfig config = accepted("""
            inbound: {ports: [{port: 80, strangers: allowed, trustedHops: 2}]}
            """, Overrides.NONE);
        HttpConfig http = Objects.requireNonNull(inbound(config).port(80).http());
        assertThat(http.forwarding()).isEqualTo(Forwarding.EDGE);
        assertThat(http.trustedHops()).isEqualTo(2);
    }

    @Test
    void onlyWhereStrangersSendRequestsThereIsAnEdge() {
        assertThat(rejected("""
            inbound:
              ports:
                - {port: 80, trustedHops: 1}
                - {port: 81, strangers: allowed, trustedHops: 17}
                - {port: 82, strangers: allowed, trustedHops: 1, callers: told}
                - {port: 83, strangers: allowed, trustedHops: 1, protocol: tls}
            """))
                .extracting(Violation::toString)
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one)
                                .contains("ports[0].trustedHops: 1 (expected: only with strangers: allowed"),
                        two -> assertThat(two).contains("ports[1].trustedHops").contains("from 0 to 16"),
                        three -> assertThat(three).contains("ports[2].callers: beside trustedHops"),
                        four -> assertThat(four)
                                .contains("ports[3].trustedHops: 1 (expected: none, as a port that is tls"));
    }

    @Test
    void whatIsNoFileIsRefused() {
        assertThat(rejected("")).hasSize(1);
        assertThat(rejected("[1]")).hasSize(1);
        assertThat(rejected("a: [")).hasSize(1);
        assertThat(rejected("inbound: {address: '127.0.0.1:1'}\noutbound: {address: '127.0.0.1:1'}\n"))
                .extracting(Violation::message)
                .anyMatch(message -> message.contains("listened on twice"));
    }

    @Test
    void theCommandLineAndTheEnvironmentGoBeforeTheFile() {
        var overrides = new Overrides(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 2),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 3),
                "8080");
        StaticConfig config = accepted("inbound: {opaquePorts: '9090'}\noutbound: {}\n", overrides);
        assertThat(config.admin().getPort()).isEqualTo(3);
        assertThat(config.proxy().listeners())
                .extracting(listener -> listener.address().getPort())
                .containsExactly(2, 1);
        assertThat(inbound(config).port(8080).declared().value()).isEqualTo(Protocol.OPAQUE);
        assertThat(inbound(config).port(9090).declared().value()).isEqualTo(Protocol.OPAQUE);
    }

    @Test
    void case36_anEmptyListMeansThatNothingIsOpaque() {
        StaticConfig config = accepted("inbound: {opaquePorts: ''}\n", Overrides.NONE);
        assertThat(inbound(config).port(3306).declared().value()).isEqualTo(Protocol.DETECT);
    }

    private static Routing.ToApplication inbound(StaticConfig config) {
        return config.proxy().listeners().stream()
                .filter(listener -> listener.name().equals("inbound"))
                .map(listener -> (Routing.ToApplication) listener.routing())
                .findFirst()
                .orElseThrow();
    }

    private static StaticConfig accepted(String text, Overrides overrides) {
        return switch (StaticFile.read(text.getBytes(StandardCharsets.UTF_8), overrides)) {
            case Result.Accepted<StaticConfig>(var config) -> config;
            case Result.Rejected<StaticConfig>(var violations) -> throw new AssertionError(violations.toString());
        };
    }

    private static List<Violation> rejected(String text) {
        return switch (StaticFile.read(text.getBytes(StandardCharsets.UTF_8), Overrides.NONE)) {
            case Result.Accepted<StaticConfig> _ -> throw new AssertionError("accepted");
            case Result.Rejected<StaticConfig>(var violations) -> violations;
        };
    }

    private static final String EVERYTHING = """
        identity: {certificate: cert.pem, key: key.pem, trust: ca.pem}
        trustDomains: [mesh]
        admin: 127.0.0.1:4191
        accessLog: json
        limits: {maxConnections: 100, connectionsPerSecond: 50, burst: 10}
        timeouts: {serverFirstGrace: 20ms, listenToSilentServers: true, detect: 3s, partial: 1s, header: 1s, handshake: 5s,
                   connect: 1s, idle: 10m, drain: 5s}
        http: {maxBody: 10000000000, headTimeout: 5s, requestTimeout: 3m, streamIdle: 2m, idle: 10m, timeout: 20s}
        gateway: {domains: [svc.cluster.local]}
        inbound:
          address: 0.0.0.0:4143
          destinations: proxyProtocol
          application: dialled
          strangers: allowed
          trustDomains: [mesh]
          opaquePorts: "4320-4325"
          ports:
            - {port: 80, protocol: http1, strangers: refused, identities: ["spiffe://mesh/web"], callers: told}
            - {port: 81, callers: untold}
          listeners:
            - {address: "127.0.0.1:13306", port: 3306}
        outbound:
          address: "[::1]:4140"
          destinations: kernel
          unknown: refuse
          services:
            - name: db.svc.cluster.local
              port: 3306
              protocol: opaque
              addresses: ["10.0.0.2:3306"]
              listen: 127.0.0.1:23306
              speaks: http1
              breaker: {maxConnections: 10, maxPending: 5, failures: 3, ejection: 10s, maxEjectedPercent: 30}
              endpoints:
                - {address: "10.1.0.5:3306", proxy: "10.1.0.5:4143", identity: "spiffe://mesh/ns/db", header: document, hint: opaque}
                - {address: "10.1.0.6:3306"}
        """;
}
