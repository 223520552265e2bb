package io.parley.link.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parley.link.LinkLimits;
import io.parley.link.Services;
import io.parley.link.fixture.EchoService;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.RawNode;
import io.parley.link.fixture.TestControlPlane;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.FrameCodec;
import io.parley.wire.wrpc.proto.MessageType;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import io.parley.wire.wrpc.proto.PayloadV1;
import io.parley.wire.wrpc.proto.PayloadVersion;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.WebsocketPayload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 24 to 36: what arrives need not be well formed, and only its sender suffers. */
class FrameCasesTest {
    private static final Pki PKI = new Pki();
    private static final SSLContext TLS = PKI.tls(PKI.node("web"));
    private static final EchoService ECHO = new EchoService();
    private static TestControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = TestControlPlane.start(PKI, List.of(ECHO.binding("config", "v1", "")), LinkListener.NONE);
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @Test
    void case24_impossibleFramesCloseTheConnection() throws IOException {
        assertClosed(call(p -> p.setSeq(0)), CloseReason.INVALID_DATA, "seq: 0");
        assertClosed(call(p -> p.setDeadline(0)), CloseReason.INVALID_DATA, "deadline: 0");
        assertClosed(call(p -> p.setAck(7)), CloseReason.INVALID_DATA, "deadline: set in a reply");
        assertClosed(HexFormat.of().parseHex("0800"), CloseReason.INVALID_DATA, "version: 0");
        assertClosed(HexFormat.of().parseHex("0802"), CloseReason.INVALID_DATA, "version: 2");
        assertClosed(HexFormat.of().parseHex("0801"), CloseReason.INVALID_DATA, "payload: missing");
    }

    @Test
    void case25_aTextFrameClosesTheConnection() throws IOException {
        try (var node = node()) {
            node.frame(RawNode.TEXT, true, "hello".getBytes(StandardCharsets.UTF_8));
            assertThat(node.receiveClose().closeCode()).isEqualTo(CloseReason.UNSUPPORTED_DATA);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ffffff", "0801128080", "0801127f00"})
    void case26_garbageClosesTheConnection(String hex) throws IOException {
        assertClosed(HexFormat.of().parseHex(hex), CloseReason.INVALID_DATA, "not a wRPC message");
    }

    @Test
    void case27_aGarbledPayloadIsAnsweredByAnErrorThatNamesTheCall() throws IOException {
        try (var node = node()) {
            int seq = node.call(Services.NEGOTIATE.method(), ByteString.copyFromUtf8("garbage"), RawNode.NEVER);

            assertThat(node.receive()).isInstanceOfSatisfying(Frame.Failure.class, failure -> {
                assertThat(failure.ack()).isEqualTo(seq);
                assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
            });
            assertThat(node.negotiate("config", "v1").getServicesAcceptedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void case28_vectorFIsAnEmptyRequestAndThereforeInvalid() throws IOException {
        try (var node = node()) {
            node.binary(HexFormat.of().parseHex("08011212080218052001280138ffffffff0f40014a00"));

            var reply = (Frame.Reply) node.receive();

            assertThat(NegotiateServicesResponse.parseFrom(reply.payload()).getMessage())
                    .startsWith("node: missing");
        }
    }

    @Test
    void case29_vectorGIsAnsweredByAnError() throws IOException {
        try (var node = node()) {
            node.binary(HexFormat.of().parseHex("0801120e080218052001280138ffffffff0f"));
            assertThat(node.receive())
                    .isInstanceOfSatisfying(
                            Frame.Failure.class,
                            failure -> assertThat(failure.ack()).isEqualTo(1));
        }
    }

    @Test
    void case30_twoPayloadsAreRefused() throws IOException {
        try (var node = node()) {
            node.binary(call(p -> p.addPayloads(ByteString.EMPTY).addPayloads(ByteString.EMPTY)));
            assertThat(node.receive())
                    .isInstanceOfSatisfying(
                            Frame.Failure.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 99})
    @SuppressWarnings("AvoidValueSetter") // the number is the point
    void case31_messageTypesThatAreNotServedAreRefusedAndTheConnectionStays(int type) throws IOException {
        try (var node = node()) {
            node.binary(call(p -> p.setMtypeValue(type)));
            assertThat(node.receive()).isInstanceOf(Frame.Failure.class);
            assertThat(node.negotiate("config", "v1").getServicesAcceptedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void case31_noMessageTypeAtAllClosesTheConnection() throws IOException {
        assertClosed(call(PayloadV1.Builder::clearMtype), CloseReason.INVALID_DATA, "mtype: 0");
    }

    @Test
    void case32_answersToUnknownCallsAreNotAnswered() throws IOException {
        try (var node = node()) {
            node.negotiate("config", "v1");
            var method = Services.SYNC_CONFIG.method();
            node.binary(FrameCodec.encode(new Frame.Reply(method, 90, 4711, ByteString.EMPTY)));
            node.binary(FrameCodec.encode(new Frame.Failure(method, 91, 4711, ErrorCode.GENERIC, "late")));
            node.binary(FrameCodec.encode(new Frame.Failure(method, 92, 0, ErrorCode.GENERIC, "nothing")));

            int seq = node.call(Services.PING_CP, PingCPRequest.getDefaultInstance());

            // The next thing that arrives is the answer to the next call.
            assertThat(node.receive())
                    .isInstanceOfSatisfying(
                            Frame.Reply.class, reply -> assertThat(reply.ack()).isEqualTo(seq));
        }
    }

    @Test
    void case33_aCallAfterItsDeadlineIsNotServed() throws IOException {
        try (var node = node()) {
            node.negotiate("config", "v1");
            var late = PingCPRequest.newBuilder().setHash("too-late").build();

            int seq = node.call(Services.PING_CP.method(), late.toByteString(), 1_700_000_000L);

            assertThat(node.receive()).isInstanceOfSatisfying(Frame.Failure.class, failure -> {
                assertThat(failure.ack()).isEqualTo(seq);
                assertThat(failure.description()).startsWith("deadline: 1700000000 has passed");
            });
            assertThat(ECHO.calls()).doesNotContain("v1:too-late");
        }
    }

    @Test
    void case34_aFrameOverTheLimitClosesTheConnection() throws IOException {
        try (var node = node()) {
            byte[] header = Arrays.copyOf(RawNode.encode(RawNode.BINARY, true, new byte[70_000]), 14);
            // Only the header of a frame of 1 TiB: it must not wait for the rest.
            header[4] = 1;
            node.raw(header);
            assertThat(node.receiveClose().closeCode()).isEqualTo(CloseReason.TOO_BIG);
        }
    }

    @Test
    void case34_fragmentsOverTheLimitCloseTheConnection() throws IOException {
        try (var node = node()) {
            node.negotiate("config", "v1");
            byte[] part = new byte[LinkLimits.DEFAULT.maxFrameBytes() / 2 + 1];
            node.frame(RawNode.BINARY, false, part);
            node.frame(RawNode.CONTINUATION, false, part);
            assertThat(node.receiveClose().closeCode()).isEqualTo(CloseReason.TOO_BIG);
        }
    }

    @Test
    void case35_fragmentsArePutTogetherAndOursAreWhole() throws IOException {
        try (var node = node()) {
            byte[] message = FrameCodec.encode(new Frame.Call(
                    Services.NEGOTIATE.method(),
                    1,
                    RawNode.NEVER,
                    RawNode.request("config", "v1").build().toByteString()));
            node.frame(RawNode.BINARY, false, Arrays.copyOfRange(message, 0, 5));
            node.frame(RawNode.PING, true, new byte[] {7});
            node.frame(RawNode.CONTINUATION, false, new byte[0]);
            node.frame(RawNode.CONTINUATION, true, Arrays.copyOfRange(message, 5, message.length));

            RawNode.WsFrame pong = node.receiveFrame();
            RawNode.WsFrame answer = node.receiveFrame();

            assertThat(pong.opcode()).isEqualTo(RawNode.PONG);
            assertThat(pong.payload()).isEqualTo(ByteString.copyFrom(new byte[] {7}));
            assertThat(answer.opcode()).isEqualTo(RawNode.BINARY);
            assertThat(answer.last()).isTrue();
        }
    }

    @Test
    void case36_unknownFieldsAreIgnored() throws IOException {
        try (var node = node()) {
            byte[] message = WebsocketPayload.parseFrom(FrameCodec.encode(new Frame.Call(
                            Services.NEGOTIATE.method(),
                            1,
                            RawNode.NEVER,
                            RawNode.request("config", "v1").build().toByteString())))
                    .toByteArray();
            byte[] unknown = HexFormat.of().parseHex("7801");
            byte[] both = Arrays.copyOf(message, message.length + unknown.length);
            System.arraycopy(unknown, 0, both, message.length, unknown.length);

            node.binary(both);

            assertThat(node.receive()).isInstanceOf(Frame.Reply.class);
        }
    }

    @Test
    void reservedBitsCloseTheConnectionSinceNoExtensionIsAgreed() throws IOException {
        try (var node = node()) {
            byte[] frame = RawNode.encode(RawNode.BINARY, true, new byte[] {1});
            frame[0] |= 0x40;
            node.raw(frame);
            assertThat(node.receiveClose().closeCode()).isEqualTo(CloseReason.PROTOCOL_ERROR);
        }
    }

    @Test
    void aCloseFrameIsAnswered() throws IOException {
        try (var node = node()) {
            node.frame(RawNode.CLOSE, true, new byte[] {3, (byte) 0xe8});
            assertThat(node.receiveClose().closeCode()).isEqualTo(CloseReason.NORMAL);
        }
    }

    private static void assertClosed(byte[] message, int code, String text) throws IOException {
        try (var node = node()) {
            node.binary(message);
            RawNode.WsFrame close = node.receiveClose();
            assertThat(close.closeCode()).isEqualTo(code);
            assertThat(close.closeText()).startsWith(text);
        }
    }

    private static byte[] call(UnaryOperator<PayloadV1.Builder> change) {
        PayloadV1.Builder valid = PayloadV1.newBuilder()
                .setMtype(MessageType.MESSAGE_TYPE_RPC)
                .setSvcId(5)
                .setRpcId(1)
                .setSeq(1)
                .setDeadline(-1);
        return WebsocketPayload.newBuilder()
                .setVersion(PayloadVersion.PAYLOAD_VERSION_V1)
                .setPayload(change.apply(valid))
                .build()
                .toByteArray();
    }

    private static RawNode node() throws IOException {
        return RawNode.upgraded(controlPlane.port(), TLS);
    }
}
