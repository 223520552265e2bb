package io.parley.link.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.parley.agreement.version.OfferedVersion;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.fixture.EchoService;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.RawNode;
import io.parley.link.fixture.TestControlPlane;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.proto.AcceptedService;
import io.parley.wire.wrpc.proto.NegotiateServicesRequest;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import io.parley.wire.wrpc.proto.RejectedService;
import io.parley.wire.wrpc.proto.ServiceRequest;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 1 to 16, each on a TLS WebSocket of its own. */
class NegotiationCasesTest {
    private static final Pki PKI = new Pki();
    private static final SSLContext TLS = PKI.tls(PKI.node("web"));
    private static TestControlPlane controlPlane;

    @BeforeAll
    static void start() {
        var echo = new EchoService();
        controlPlane = TestControlPlane.start(
                PKI,
                List.of(
                        echo.binding("config", "v1", "wRPC configuration"),
                        other("configuration", "v2", 40),
                        other("configuration", "v1", 40),
                        other("vitals", "v3", 41)),
                LinkListener.NONE);
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @Test
    void case1_vectorAIsAnsweredByVectorB() throws IOException {
        try (var node = node()) {
            // Vector A, with a deadline that never passes.
            node.binary(HexFormat.of()
                    .parseHex("08011235080218052001280138ffffffff0f40014a23"
                            + "0a1312044b4f4e471a05332e302e30220464702d31120c0a06636f6e66696712027631"));

            RawNode.WsFrame answer = node.receiveFrame();

            assertThat(HexFormat.of().formatHex(answer.payload().toByteArray()))
                    .isEqualTo("080112380802180520012801300140014a2a"
                            + "12060a0463702d311a200a06636f6e666967120276311a127752504320636f6e66696775726174696f6e");
        }
    }

    @Test
    void case2_theDesignDocumentsExample() throws IOException {
        try (var node = node()) {
            var answer = node.negotiate(documentExample("v1", "v2"));

            assertThat(answer.getServicesAcceptedList())
                    .containsExactly(AcceptedService.newBuilder()
                            .setName("configuration")
                            .setVersion("v2")
                            .build());
            assertThat(answer.getServicesRejectedList())
                    .containsExactly(RejectedService.newBuilder()
                            .setName("vitals")
                            .setMessage("only v3 is available")
                            .build());
        }
    }

    @Test
    void case2_theExampleWithTheNodesId() throws IOException {
        String path = "/v1/wrpc?node_id=42&node_hostname=&node_version=2.6.1-beta";
        try (var node = RawNode.request(controlPlane.port(), TLS, path, "Sec-WebSocket-Protocol: wrpc.konghq.com")) {
            var bytes = HexFormat.of()
                    .parseHex("0a160a02343212044b4f4e471a0a322e362e312d6265746112170a0d636f6e66696775"
                            + "726174696f6e120276311202763212100a06766974616c731202763112027632");

            var answer = node.negotiate(NegotiateServicesRequest.parseFrom(bytes));

            assertThat(answer.getServicesAccepted(0).getVersion()).isEqualTo("v2");
        }
    }

    @Test
    void case3_theNodesOrderDoesNotMatter() throws IOException {
        try (var node = node()) {
            var answer = node.negotiate(documentExample("v2", "v1"));

            assertThat(answer.getServicesAccepted(0).getVersion()).isEqualTo("v2");
        }
    }

    @Test
    void case4_theControlPlanesOrderDecides() throws IOException {
        try (var reversed = TestControlPlane.start(
                        PKI,
                        List.of(other("configuration", "v1", 40), other("configuration", "v2", 40)),
                        LinkListener.NONE);
                var node = RawNode.upgraded(reversed.port(), TLS)) {
            assertThat(node.negotiate("configuration", "v2", "v1")
                            .getServicesAccepted(0)
                            .getVersion())
                    .isEqualTo("v1");
        }
    }

    @Test
    void case5_withoutNodeOnlyTheMessageIsSet() throws IOException {
        assertInvalid(RawNode.request("config", "v1").clearNode(), "node: missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "kong", "notKONG"})
    void case6_anyOtherTypeIsInvalid(String type) throws IOException {
        var request = RawNode.request("config", "v1");
        request.getNodeBuilder().setType(type);
        assertInvalid(request, "node.type: ");
    }

    @Test
    void case7_withoutVersionIsInvalid() throws IOException {
        var request = RawNode.request("config", "v1");
        request.getNodeBuilder().clearVersion();
        assertInvalid(request, "node.version: empty");
    }

    @Test
    void case8_theHostnameMayBeEmpty() throws IOException {
        try (var node = node()) {
            assertThat(node.negotiate("config", "v1").getServicesAcceptedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void case9_anUnknownServiceIsRejected() throws IOException {
        try (var node = node()) {
            var answer = node.negotiate("wishes", "v1");

            assertThat(answer.getMessage()).isEmpty();
            assertThat(answer.hasNode()).isTrue();
            assertThat(answer.getServicesRejected(0).getMessage()).startsWith("unknown service");
        }
    }

    @Test
    void case10_aRejectionSaysWhatIsAvailable() throws IOException {
        try (var node = node()) {
            assertThat(node.negotiate("configuration", "v7")
                            .getServicesRejected(0)
                            .getMessage())
                    .isEqualTo("only v2 and v1 are available");
        }
    }

    @Test
    void case11_aServiceWithoutVersionsIsInvalid() throws IOException {
        assertInvalid(RawNode.request("config"), "services_requested[0].versions: 0 for service config");
    }

    @Test
    void case12_emptyNamesAndVersionsAreInvalid() throws IOException {
        assertInvalid(RawNode.request("", "v1"), "services_requested[0].name: empty");
        assertInvalid(RawNode.request("config", "v1", ""), "services_requested[0].versions: an empty one");
    }

    @Test
    void case13_aRequestForNothingIsInvalid() throws IOException {
        assertInvalid(RawNode.request("config", "v1").clearServicesRequested(), "services_requested: none");
    }

    @Test
    void case14_aServiceNamedTwiceIsInvalidAndNothingIsOpened() throws IOException {
        var request = RawNode.request("config", "v1");
        request.addServicesRequested(request.getServicesRequested(0));
        assertInvalid(request, "services_requested[1].name: config");
    }

    @Test
    void case15_aVersionNamedTwiceIsHarmless() throws IOException {
        try (var node = node()) {
            assertThat(node.negotiate("config", "v1", "v1").getServicesAcceptedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void case16_namesMatchExactly() throws IOException {
        try (var node = node()) {
            assertThat(node.negotiate("Config", "v1").getServicesRejectedCount())
                    .isEqualTo(1);
        }
        try (var node = node()) {
            assertThat(node.negotiate("config", "V1").getServicesRejectedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void theIdOfTheMessageMustBeTheIdOfTheUrl() throws IOException {
        var request = RawNode.request("config", "v1");
        request.getNodeBuilder().setId("dp-2");
        assertInvalid(request, "node.id: dp-2 (expected: dp-1");
    }

    @Test
    void metadataIsTakenInWhateverShapeItComes() throws IOException {
        var struct = Struct.newBuilder()
                .putFields("host_id", Value.newBuilder().setStringValue("a").build())
                .build()
                .toByteString();
        for (ByteString metadata : List.of(struct, ByteString.copyFromUtf8("anything"))) {
            try (var node = node()) {
                var request = RawNode.request("config", "v1").setMetadata(metadata);
                assertThat(node.negotiate(request.build()).getServicesAcceptedCount())
                        .isEqualTo(1);
            }
        }
    }

    private static void assertInvalid(NegotiateServicesRequest.Builder request, String message) throws IOException {
        try (var node = node()) {
            NegotiateServicesResponse answer = node.negotiate(request.build());

            assertThat(answer.getMessage()).startsWith(message);
            assertThat(answer.toBuilder().clearMessage().build())
                    .isEqualTo(NegotiateServicesResponse.getDefaultInstance());
            // Nothing was opened on the way.
            node.call(Services.PING_CP, Services.PING_CP.readRequest(ByteString.EMPTY));
            assertThat(node.receive()).isInstanceOf(Frame.Failure.class);
        }
    }

    private static NegotiateServicesRequest documentExample(String... versions) {
        return RawNode.request("configuration", versions)
                .addServicesRequested(
                        ServiceRequest.newBuilder().setName("vitals").addAllVersions(List.of(versions)))
                .build();
    }

    private static RawNode node() throws IOException {
        return RawNode.upgraded(controlPlane.port(), TLS);
    }

    private static ServiceBinding other(String name, String version, int id) {
        return new ServiceBinding(name, OfferedVersion.of(version), id, _ -> new ServiceHandler(() -> {}));
    }
}
