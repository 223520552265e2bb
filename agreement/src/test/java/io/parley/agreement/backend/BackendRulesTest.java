package io.parley.agreement.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.agreement.reason.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackendRulesTest {
    private static final String POLICY = "BackendTLSPolicy/web/chat";

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes.io/h2c", "KUBERNETES.IO/H2C", "h2c", "HTTP2", "grpc"})
    void case01_anHttpRouteSpeaksHttp2ToAPortThatDeclaresIt(String declared) {
        assertThat(spoken(RouteKind.HTTP, port(declared))).containsExactly(BackendProtocol.H2C);
    }

    @Test
    void case04_anHttpRouteSpeaksHttp1WhereNothingIsDeclared() {
        Decision<Resolution> decision = BackendRules.resolve(RouteKind.HTTP, port(null));

        assertThat(protocols(decision)).containsExactly(BackendProtocol.HTTP1);
        assertThat(decision.because())
                .isEqualTo("nothing is declared for port 80 of Service/web/chat, so an HTTPRoute speaks http1");
        assertThat(decision.source().rule()).isEqualTo("implied by HTTPRoute");
    }

    @Test
    void case05_aGrpcRouteSpeaksHttp2WhereNothingIsDeclared() {
        assertThat(spoken(RouteKind.GRPC, port(null))).containsExactly(BackendProtocol.H2C);
    }

    @Test
    void case07_aWebSocketPortIsSpokenToInHttp1() {
        assertThat(spoken(RouteKind.HTTP, port("kubernetes.io/ws"))).containsExactly(BackendProtocol.WEBSOCKET);
    }

    @Test
    void case11_aTlsRoutePassesASecureWebSocketOn() {
        assertThat(spoken(RouteKind.TLS, port("kubernetes.io/wss"))).containsExactly(BackendProtocol.TCP);
    }

    @Test
    void case12_aSecureWebSocketNeedsAPolicyThatSaysHowItsCertificateIsChecked() {
        Decision<Resolution> decision = BackendRules.resolve(RouteKind.HTTP, port("kubernetes.io/wss"));

        assertThat(decision.value()).isInstanceOf(Resolution.Unsupported.class);
        assertThat(decision.because())
                .contains(
                        "port 80 of Service/web/chat",
                        "kubernetes.io/wss",
                        "without a BackendTLSPolicy",
                        "expected: none, http, grpc, kubernetes.io/h2c");
    }

    @Test
    void case13_aSecureWebSocketWithAPolicyIsSpokenToInHttp1Only() {
        assertThat(spoken(RouteKind.HTTP, port("kubernetes.io/wss", POLICY)))
                .containsExactly(BackendProtocol.HTTP1_TLS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes.io/raw",
                "kubernetes.io/foo",
                "gateway.networking.k8s.io/no-sniff",
                "gateway-api.kubernetes.io/x"
            })
    void case15_whatOnlyItsOwnerCouldDefineIsNotGuessed(String declared) {
        assertThat(BackendRules.resolve(RouteKind.HTTP, port(declared)).value())
                .isInstanceOf(Resolution.Unsupported.class);
    }

    @ParameterizedTest
    @CsvSource({"TCP,TCP", "TLS,TCP", "UDP,UDP"})
    void case15_rawMeansTheServicesTransport(RouteKind route, BackendProtocol spoken) {
        Backend backend = new Backend(
                "web/chat",
                80,
                List.of(new ServicePort("", 80, route.transport(), "kubernetes.io/raw")),
                List.of(),
                null,
                null);

        assertThat(spoken(route, backend)).containsExactly(spoken);
    }

    @Test
    void case16_aStrangersPrefixSaysNothingAndIsRemarkedOn() {
        Decision<Resolution> decision = BackendRules.resolve(RouteKind.HTTP, port("example.com/foo"));

        assertThat(protocols(decision)).containsExactly(BackendProtocol.HTTP1);
        assertThat(remarks(decision)).singleElement().asString().contains("example.com/foo", "says nothing");
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP, http, HTTP1",
        "HTTP, HTTPS, HTTP1",
        "HTTP, tls, HTTP1",
        "HTTP, tcp, HTTP1",
        "HTTP, grpc-web, HTTP1",
        "HTTP, grpc, H2C",
        "HTTP, ws, WEBSOCKET",
        "GRPC, http, H2C",
        "GRPC, HTTPS, H2C",
        "GRPC, GRPC, H2C",
        "TCP, mysql, TCP",
    })
    void case17_usualNamesAreTakenAsMeant(RouteKind route, String declared, BackendProtocol spoken) {
        assertThat(spoken(route, port(declared))).containsExactly(spoken);
    }

    @Test
    void case17_tlsThatNobodyCanCheckIsRemarkedOn() {
        assertThat(remarks(BackendRules.resolve(RouteKind.HTTP, port("HTTPS"))))
                .singleElement()
                .asString()
                .contains("clear text is spoken");
    }

    @ParameterizedTest
    @EnumSource(
            value = RouteKind.class,
            names = {"TCP", "TLS"})
    void case18_routesOfBytesPassOnWhatIsDeclaredToBeHttp2(RouteKind route) {
        assertThat(spoken(route, port("kubernetes.io/h2c"))).containsExactly(BackendProtocol.TCP);
    }

    @Test
    void case18_aGrpcRouteCannotSpeakToAWebSocketPort() {
        assertThat(BackendRules.resolve(RouteKind.GRPC, port("kubernetes.io/ws"))
                        .value())
                .isEqualTo(
                        new Resolution.Unsupported("appProtocol kubernetes.io/ws", "none, grpc or kubernetes.io/h2c"));
    }

    @ParameterizedTest
    @CsvSource({"HTTP,UDP", "GRPC,UDP", "TCP,UDP", "TLS,UDP", "UDP,TCP", "HTTP,SCTP", "UDP,SCTP"})
    void case19_aPortOfAnotherTransportIsNotSpokenTo(RouteKind route, Transport transport) {
        Backend backend =
                new Backend("web/chat", 80, List.of(new ServicePort("", 80, transport, null)), List.of(), null, null);

        Decision<Resolution> decision = BackendRules.resolve(route, backend);

        assertThat(decision.value())
                .isEqualTo(new Resolution.Unsupported("protocol " + transport, "protocol " + route.transport()));
    }

    @Test
    void case20_eachRouteTakesTheEntryOfItsTransport() {
        Backend dns = new Backend(
                "web/dns",
                53,
                List.of(
                        new ServicePort("udp", 53, Transport.UDP, null),
                        new ServicePort("tcp", 53, Transport.TCP, "kubernetes.io/h2c")),
                List.of(),
                null,
                null);

        assertThat(spoken(RouteKind.HTTP, dns)).containsExactly(BackendProtocol.H2C);
        assertThat(spoken(RouteKind.UDP, dns)).containsExactly(BackendProtocol.UDP);
    }

    @Test
    void case21_slicesThatMirrorTheServiceChangeNothing() {
        Decision<Resolution> decision = BackendRules.resolve(
                RouteKind.HTTP, slices("kubernetes.io/h2c", new SlicePort("web/a", "kubernetes.io/h2c")));

        assertThat(protocols(decision)).containsExactly(BackendProtocol.H2C);
        assertThat(remarks(decision)).isEmpty();
    }

    @Test
    void case22_theServicesWordCountsAndTheDisagreementIsRemarkedOn() {
        Decision<Resolution> decision = BackendRules.resolve(
                RouteKind.HTTP, slices("kubernetes.io/h2c", new SlicePort("web/a", "kubernetes.io/ws")));

        assertThat(protocols(decision)).containsExactly(BackendProtocol.H2C);
        assertThat(remarks(decision)).singleElement().asString().contains("EndpointSlice/web/a", "kubernetes.io/ws");
    }

    @Test
    void case22_theSlicesWordCountsWhereTheServiceHasNone() {
        Decision<Resolution> decision =
                BackendRules.resolve(RouteKind.HTTP, slices(null, new SlicePort("web/a", "kubernetes.io/h2c")));

        assertThat(protocols(decision)).containsExactly(BackendProtocol.H2C);
        assertThat(decision.source().resource()).isEqualTo("EndpointSlice/web/a");
    }

    @Test
    void case23_slicesThatDifferSayNothing() {
        Decision<Resolution> decision = BackendRules.resolve(
                RouteKind.HTTP,
                slices(null, new SlicePort("web/a", "kubernetes.io/h2c"), new SlicePort("web/b", null)));

        assertThat(protocols(decision)).containsExactly(BackendProtocol.HTTP1);
        assertThat(remarks(decision)).singleElement().asString().contains("kubernetes.io/h2c, none");
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP, kubernetes.io/h2c, H2",
        "HTTP, kubernetes.io/ws, HTTP1_TLS",
        "HTTP, , NEGOTIATED",
        "HTTP, HTTPS, NEGOTIATED",
        "GRPC, , H2",
        "GRPC, kubernetes.io/h2c, H2"
    })
    void case34_aPolicyPutsTlsUnderWhatIsDeclared(RouteKind route, @Nullable String declared, BackendProtocol spoken) {
        assertThat(spoken(route, port(declared, POLICY))).containsExactly(spoken);
    }

    @Test
    void aListIsTriedInItsOrder() {
        assertThat(spoken(RouteKind.HTTP, listed(AppProtocol.H2C, AppProtocol.HTTP1)))
                .containsExactly(BackendProtocol.H2C, BackendProtocol.HTTP1);
        assertThat(spoken(RouteKind.HTTP, listed(AppProtocol.HTTP1, AppProtocol.H2C)))
                .containsExactly(BackendProtocol.HTTP1, BackendProtocol.H2C);
    }

    @Test
    void ofAListOnlyWhatTheRouteCanSpeakIsTried() {
        assertThat(spoken(RouteKind.GRPC, listed(AppProtocol.HTTP1, AppProtocol.GRPC)))
                .containsExactly(BackendProtocol.H2C);
        assertThat(BackendRules.resolve(RouteKind.GRPC, listed(AppProtocol.WEBSOCKET))
                        .value())
                .isInstanceOf(Resolution.Unsupported.class);
    }

    @Test
    void aListCountsMoreThanAppProtocol() {
        Backend backend = new Backend(
                "web/chat",
                80,
                List.of(new ServicePort("", 80, Transport.TCP, "kubernetes.io/foo")),
                List.of(),
                null,
                new ProtocolList("BackendProtocol/web/chat", List.of(AppProtocol.H2C)));

        assertThat(spoken(RouteKind.HTTP, backend)).containsExactly(BackendProtocol.H2C);
    }

    private static Backend port(@Nullable String declared) {
        return port(declared, null);
    }

    private static Backend port(@Nullable String declared, @Nullable String policy) {
        return new Backend(
                "web/chat", 80, List.of(new ServicePort("", 80, Transport.TCP, declared)), List.of(), policy, null);
    }

    private static Backend slices(@Nullable String declared, SlicePort... slices) {
        return new Backend(
                "web/chat", 80, List.of(new ServicePort("", 80, Transport.TCP, declared)), List.of(slices), null, null);
    }

    private static Backend listed(AppProtocol... protocols) {
        return new Backend(
                "web/chat",
                80,
                List.of(new ServicePort("", 80, Transport.TCP, null)),
                List.of(),
                null,
                new ProtocolList("BackendProtocol/web/chat", List.of(protocols)));
    }

    private static List<BackendProtocol> spoken(RouteKind route, Backend backend) {
        return protocols(BackendRules.resolve(route, backend));
    }

    private static List<BackendProtocol> protocols(Decision<Resolution> decision) {
        return speak(decision).protocols();
    }

    private static List<String> remarks(Decision<Resolution> decision) {
        return speak(decision).remarks();
    }

    private static Resolution.Speak speak(Decision<Resolution> decision) {
        assertThat(decision.value()).as(decision.because()).isInstanceOf(Resolution.Speak.class);
        return (Resolution.Speak) decision.value();
    }
}
