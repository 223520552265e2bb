package io.parley.wire.wrpc;

import static io.parley.wire.wrpc.Vectors.encode;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parley.wire.wrpc.proto.Encoding;
import io.parley.wire.wrpc.proto.MessageType;
import io.parley.wire.wrpc.proto.PayloadV1;
import io.parley.wire.wrpc.proto.PayloadVersion;
import io.parley.wire.wrpc.proto.WebsocketPayload;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCodecTest {
    private static final Method NEGOTIATE = new Method(5, 1);

    @ParameterizedTest
    @ValueSource(strings = {Vectors.A_FRAME, Vectors.B_FRAME, Vectors.D_FRAME, Vectors.E_FRAME, Vectors.F_FRAME})
    void writesAgainWhatItRead(String hex) {
        assertThat(decode(hex))
                .isInstanceOfSatisfying(
                        Frame.class, frame -> assertThat(encode(frame)).isEqualTo(hex));
    }

    @Test
    void vectorAIsACall() {
        assertThat(decode(Vectors.A_FRAME))
                .isEqualTo(new Frame.Call(NEGOTIATE, 1, 1_700_000_000L, bytes(Vectors.A_MESSAGE)));
    }

    @Test
    void vectorBIsAReply() {
        assertThat(decode(Vectors.B_FRAME)).isEqualTo(new Frame.Reply(NEGOTIATE, 1, 1, bytes(Vectors.B_MESSAGE)));
    }

    @Test
    void vectorEIsAFailure() {
        assertThat(decode(Vectors.E_FRAME))
                .isEqualTo(new Frame.Failure(
                        new Method(1, 4), 1, 1, ErrorCode.INVALID_SERVICE, "Invalid service (or rpc)"));
    }

    @Test
    void case28_aZeroLengthPayloadIsAnEmptyMessage() {
        assertThat(decode(Vectors.F_FRAME)).isEqualTo(new Frame.Call(NEGOTIATE, 1, 1_700_000_000L, ByteString.EMPTY));
    }

    @Test
    void case29_aCallWithoutEncodingIsRefusedAndCanBeAnswered() throws Exception {
        assertThat(decode(Vectors.G_FRAME)).isInstanceOfSatisfying(Received.Refused.class, refused -> {
            assertThat(refused.seq()).isEqualTo(1);
            assertThat(refused.ack()).isZero();
            assertThat(refused.reason()).isEqualTo("payload_encoding: 0 (expected: 1)");
        });
        byte[] again =
                WebsocketPayload.parseFrom(Vectors.bytes(Vectors.G_FRAME)).toByteArray();
        assertThat(HexFormat.of().formatHex(again)).isEqualTo(Vectors.G_FRAME);
    }

    @Test
    void aReplyWithoutPayloadAndEncodingIsAnEmptyMessage() {
        assertThat(decode(call(p -> p.setAck(9).setDeadline(0))))
                .isEqualTo(new Frame.Reply(NEGOTIATE, 1, 9, ByteString.EMPTY));
    }

    @Test
    void theDeadlineIsUnsigned() {
        var call = new Frame.Call(NEGOTIATE, -1, 0xffff_ffffL, ByteString.EMPTY);

        assertThat(decode(FrameCodec.encode(call))).isEqualTo(call);
    }

    @Test
    void case24_framesThatNoPeerSendsAreMalformed() {
        assertMalformed(call(p -> p.setSeq(0)), "seq: 0");
        assertMalformed(call(p -> p.setDeadline(0)), "deadline: 0 in a call");
        assertMalformed(call(p -> p.setAck(1)), "deadline: set in a reply");
        assertMalformed(call(p -> p.setSvcId(0)), "svc_id.rpc_id: 0.1");
        assertMalformed(call(p -> p.setRpcId(0)), "svc_id.rpc_id: 5.0");
        assertMalformed(envelope(0), "version: 0");
        assertMalformed(envelope(2), "version: 2");
        assertMalformed(Vectors.bytes("0801"), "payload: missing");
        assertMalformed(new byte[0], "version: 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "08", "0801ffffffffffffffffffffff", "080112ff", "0801127f00", "080112ffffffff07"})
    void case26_garbageIsMalformed(String hex) {
        assertMalformed(Vectors.bytes(hex), "not a wRPC message");
    }

    @Test
    void everyTruncationIsAResultAndNotACrash() {
        byte[] whole = Vectors.bytes(Vectors.A_FRAME);
        for (int length = 0; length < whole.length; length++) {
            assertThat(FrameCodec.decode(ByteBuffer.wrap(whole, 0, length))).isInstanceOf(Received.Malformed.class);
        }
    }

    @Test
    void case30_twoPayloadsAreRefused() {
        Received received = decode(call(p -> p.setPayloadEncoding(Encoding.ENCODING_PROTO3)
                .addPayloads(ByteString.EMPTY)
                .addPayloads(ByteString.EMPTY)));

        assertThat(received)
                .isInstanceOfSatisfying(
                        Received.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 99})
    @SuppressWarnings("AvoidValueSetter") // the number is the point
    void case31_aMessageTypeWeDoNotServeIsRefused(int type) {
        assertThat(decode(call(p -> p.setMtypeValue(type)))).isInstanceOf(Received.Refused.class);
    }

    @Test
    void case31_aFrameWithoutMessageTypeIsMalformed() {
        assertMalformed(call(PayloadV1.Builder::clearMtype), "mtype: 0");
    }

    @Test
    void case36_unknownFieldsAreIgnored() {
        // Field 15 of the envelope, a varint; field 100 of the payload, a string.
        byte[] bytes =
                Vectors.bytes("7801" + "0801" + "1216" + "08021805200128013880e2cfaa064001" + "4a00" + "a206023030");
        bytes[5] = (byte) (bytes.length - 6);

        assertThat(decode(bytes)).isEqualTo(new Frame.Call(NEGOTIATE, 1, 1_700_000_000L, ByteString.EMPTY));
    }

    private static void assertMalformed(byte[] bytes, String reason) {
        assertThat(decode(bytes)).isInstanceOfSatisfying(Received.Malformed.class, malformed -> {
            assertThat(malformed.close().code()).isEqualTo(CloseReason.INVALID_DATA);
            assertThat(malformed.close().text()).startsWith(reason);
        });
    }

    private static byte[] call(UnaryOperator<PayloadV1.Builder> change) {
        PayloadV1.Builder valid = PayloadV1.newBuilder()
                .setMtype(MessageType.MESSAGE_TYPE_RPC)
                .setSvcId(5)
                .setRpcId(1)
                .setSeq(1)
                .setDeadline(1_700_000_000);
        return WebsocketPayload.newBuilder()
                .setVersion(PayloadVersion.PAYLOAD_VERSION_V1)
                .setPayload(change.apply(valid))
                .build()
                .toByteArray();
    }

    @SuppressWarnings("AvoidValueSetter") // the number is the point
    private static byte[] envelope(int version) {
        return WebsocketPayload.newBuilder()
                .setVersionValue(version)
                .setPayload(PayloadV1.newBuilder().setSeq(1))
                .build()
                .toByteArray();
    }

    private static Received decode(byte[] bytes) {
        return FrameCodec.decode(ByteBuffer.wrap(bytes));
    }

    private static Received decode(String hex) {
        return Vectors.decode(hex);
    }

    private static ByteString bytes(String hex) {
        return ByteString.copyFrom(Vectors.bytes(hex));
    }
}
