package io.parley.wire.wrpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parley.wire.wrpc.proto.AcceptedService;
import io.parley.wire.wrpc.proto.ControlPlaneNode;
import io.parley.wire.wrpc.proto.DataPlaneNode;
import io.parley.wire.wrpc.proto.NegotiateServicesRequest;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import io.parley.wire.wrpc.proto.RejectedService;
import io.parley.wire.wrpc.proto.ServiceRequest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class NegotiationMessagesTest {
    @Test
    void vectorA() throws InvalidProtocolBufferException {
        var request = NegotiateServicesRequest.newBuilder()
                .setNode(DataPlaneNode.newBuilder()
                        .setType("KONG")
                        .setVersion("3.0.0")
                        .setHostname("dp-1"))
                .addServicesRequested(
                        ServiceRequest.newBuilder().setName("config").addVersions("v1"))
                .build();

        assertThat(hex(request.toByteArray())).isEqualTo(Vectors.A_MESSAGE);
        assertThat(NegotiateServicesRequest.parseFrom(Vectors.bytes(Vectors.A_MESSAGE)))
                .isEqualTo(request);
    }

    @Test
    void vectorB() throws InvalidProtocolBufferException {
        var response = NegotiateServicesResponse.newBuilder()
                .setNode(ControlPlaneNode.newBuilder().setId("cp-1"))
                .addServicesAccepted(AcceptedService.newBuilder()
                        .setName("config")
                        .setVersion("v1")
                        .setMessage("wRPC configuration"))
                .build();

        assertThat(hex(response.toByteArray())).isEqualTo(Vectors.B_MESSAGE);
        assertThat(NegotiateServicesResponse.parseFrom(Vectors.bytes(Vectors.B_MESSAGE)))
                .isEqualTo(response);
    }

    @Test
    void vectorC_theDesignDocumentsExample() throws InvalidProtocolBufferException {
        assertThat(hex(documentExample().build().toByteArray())).isEqualTo(Vectors.C_REQUEST);
        assertThat(NegotiateServicesRequest.parseFrom(Vectors.bytes(Vectors.C_REQUEST)))
                .isEqualTo(documentExample().build());

        var response = NegotiateServicesResponse.newBuilder()
                .setNode(ControlPlaneNode.newBuilder().setId("4242"))
                .addServicesAccepted(
                        AcceptedService.newBuilder().setName("configuration").setVersion("v2"))
                .addServicesRejected(
                        RejectedService.newBuilder().setName("vitals").setMessage("only v3 is available"))
                .build();
        assertThat(hex(response.toByteArray())).isEqualTo(Vectors.C_RESPONSE);
        assertThat(NegotiateServicesResponse.parseFrom(Vectors.bytes(Vectors.C_RESPONSE)))
                .isEqualTo(response);
    }

    @Test
    void vectorCWithId_theIdIsFieldOneOfTheNode() throws InvalidProtocolBufferException {
        var request = documentExample();
        request.getNodeBuilder().setId("42");

        assertThat(hex(request.build().toByteArray())).isEqualTo(Vectors.C_REQUEST_WITH_ID);
        assertThat(NegotiateServicesRequest.parseFrom(Vectors.bytes(Vectors.C_REQUEST_WITH_ID)))
                .isEqualTo(request.build());
    }

    @Test
    void vectorD_anInvalidRequestIsAnsweredByTheMessageAlone() throws InvalidProtocolBufferException {
        assertThat(Vectors.decode(Vectors.D_FRAME)).isInstanceOf(Frame.Reply.class);
        var reply = (Frame.Reply) Vectors.decode(Vectors.D_FRAME);

        assertThat(NegotiateServicesResponse.parseFrom(reply.payload()))
                .isEqualTo(NegotiateServicesResponse.newBuilder()
                        .setMessage("Invalid CP Node Type")
                        .build());
    }

    @Test
    void aReplyWithAnEmptyControlPlaneNodeStillHasOne() throws InvalidProtocolBufferException {
        assertThat(NegotiateServicesResponse.parseFrom(Vectors.bytes("1200")).hasNode())
                .isTrue();
    }

    private static NegotiateServicesRequest.Builder documentExample() {
        return NegotiateServicesRequest.newBuilder()
                .setNode(DataPlaneNode.newBuilder().setType("KONG").setVersion("2.6.1-beta"))
                .addServicesRequested(ServiceRequest.newBuilder()
                        .setName("configuration")
                        .addVersions("v1")
                        .addVersions("v2"))
                .addServicesRequested(ServiceRequest.newBuilder()
                        .setName("vitals")
                        .addVersions("v1")
                        .addVersions("v2"));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
