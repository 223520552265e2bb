package io.parley.wire.wrpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.parley.wire.wrpc.proto.Encoding;
import io.parley.wire.wrpc.proto.Error;
import io.parley.wire.wrpc.proto.MessageType;
import io.parley.wire.wrpc.proto.PayloadV1;
import io.parley.wire.wrpc.proto.PayloadVersion;
import io.parley.wire.wrpc.proto.WebsocketPayload;
import java.nio.ByteBuffer;

/**
 * Bytes to frames and back. Reading is strict, since the receiver acts on what it reads, except that unknown fields are skipped:
 * that is how newer peers reach older ones.
 */
public final class FrameCodec {
    /** Skips unknown fields at once: kept, a frame of them would take many times its size in memory. */
    private static final Parser<WebsocketPayload> PARSER = DiscardUnknownFieldsParser.wrap(WebsocketPayload.parser());

    private FrameCodec() {}

    /** Never throws, whatever the bytes are. */
    public static Received decode(ByteBuffer bytes) {
        WebsocketPayload envelope;
        try {
            envelope = PARSER.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return Received.Malformed.because("not a wRPC message: " + e.getMessage());
        }
        if (envelope.getVersion() != PayloadVersion.PAYLOAD_VERSION_V1) {
            return Received.Malformed.because("version: " + envelope.getVersionValue() + " (expected: 1)");
        }
        if (!envelope.hasPayload()) {
            return Received.Malformed.because("payload: missing");
        }
        return classify(envelope.getPayload());
    }

    public static byte[] encode(Frame frame) {
        PayloadV1.Builder payload = PayloadV1.newBuilder()
                .setSvcId(frame.method().service())
                .setRpcId(frame.method().rpc())
                .setSeq(frame.seq());
        switch (frame) {
            case Frame.Call call -> withPayload(payload, call.payload()).setDeadline((int) call.deadline());
            case Frame.Reply reply -> withPayload(payload, reply.payload()).setAck(reply.ack());
            case Frame.Failure failure ->
                payload.setMtype(MessageType.MESSAGE_TYPE_ERROR)
                        .setAck(failure.ack())
                        .setError(Error.newBuilder()
                                .setEtype(failure.code().wire())
                                .setDescription(failure.description()));
        }
        return WebsocketPayload.newBuilder()
                .setVersion(PayloadVersion.PAYLOAD_VERSION_V1)
                .setPayload(payload)
                .build()
                .toByteArray();
    }

    private static PayloadV1.Builder withPayload(PayloadV1.Builder builder, ByteString payload) {
        return builder.setMtype(MessageType.MESSAGE_TYPE_RPC)
                .setPayloadEncoding(Encoding.ENCODING_PROTO3)
                .addPayloads(payload);
    }

    private static Received classify(PayloadV1 payload) {
        if (payload.getSeq() == 0) {
            return Received.Malformed.because("seq: 0 (expected: 1 or more)");
        }
        return switch (payload.getMtype()) {
            case MESSAGE_TYPE_UNSPECIFIED -> Received.Malformed.because("mtype: 0 (expected: 1 or 2)");
            case MESSAGE_TYPE_ERROR -> failure(payload);
            case MESSAGE_TYPE_RPC -> rpc(payload);
            case MESSAGE_TYPE_STREAM_BEGIN, MESSAGE_TYPE_STREAM_MESSAGE, MESSAGE_TYPE_STREAM_END, UNRECOGNIZED ->
                refused(payload, ErrorCode.GENERIC, "mtype: " + payload.getMtypeValue() + " (expected: 1 or 2)");
        };
    }

    private static Received failure(PayloadV1 payload) {
        if (payload.getDeadline() != 0) {
            return Received.Malformed.because("deadline: set in an error (expected: 0)");
        }
        Error error = payload.getError();
        return new Frame.Failure(
                method(payload),
                payload.getSeq(),
                payload.getAck(),
                ErrorCode.of(error.getEtype()),
                error.getDescription());
    }

    private static Received rpc(PayloadV1 payload) {
        boolean call = payload.getAck() == 0;
        if (payload.getSvcId() == 0 || payload.getRpcId() == 0) {
            return Received.Malformed.because("svc_id.rpc_id: " + method(payload) + " (expected: both above 0)");
        }
        if (call && payload.getDeadline() == 0) {
            return Received.Malformed.because("deadline: 0 in a call (expected: UNIX seconds)");
        }
        if (!call && payload.getDeadline() != 0) {
            return Received.Malformed.because("deadline: set in a reply (expected: 0)");
        }
        if (payload.getPayloadsCount() > 1) {
            return refused(
                    payload,
                    ErrorCode.INVALID_PAYLOAD,
                    "payloads: " + payload.getPayloadsCount() + " (expected: at most 1)");
        }
        // A reply that says nothing at all is an empty message; a call has to name the encoding that it wants read and
        // answered.
        boolean encodingNeeded = call || payload.getPayloadsCount() == 1;
        if (encodingNeeded && payload.getPayloadEncoding() != Encoding.ENCODING_PROTO3) {
            return refused(
                    payload,
                    ErrorCode.INVALID_PAYLOAD,
                    "payload_encoding: " + payload.getPayloadEncodingValue() + " (expected: 1)");
        }
        ByteString body = payload.getPayloadsCount() == 0 ? ByteString.EMPTY : payload.getPayloads(0);
        return call
                ? new Frame.Call(method(payload), payload.getSeq(), Integer.toUnsignedLong(payload.getDeadline()), body)
                : new Frame.Reply(method(payload), payload.getSeq(), payload.getAck(), body);
    }

    private static Received refused(PayloadV1 payload, ErrorCode code, String reason) {
        return new Received.Refused(method(payload), payload.getSeq(), payload.getAck(), code, reason);
    }

    private static Method method(PayloadV1 payload) {
        return new Method(payload.getSvcId(), payload.getRpcId());
    }
}
