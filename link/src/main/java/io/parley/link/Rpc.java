package io.parley.link;

import com.google.protobuf.ByteString;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Method;

/** A procedure: its number, what it takes and what it answers. */
public final class Rpc<Q extends Message, A extends Message> {
    private final Method method;
    private final Parser<Q> request;
    private final Parser<A> response;

    Rpc(int service, int rpc, Parser<Q> request, Parser<A> response) {
        this.method = new Method(service, rpc);
        this.request = DiscardUnknownFieldsParser.wrap(request);
        this.response = DiscardUnknownFieldsParser.wrap(response);
    }

    public Method method() {
        return method;
    }

    /** Refuses the call if the bytes are not this procedure's request. */
    public Q readRequest(ByteString payload) {
        try {
            return request.parseFrom(payload);
        } catch (InvalidProtocolBufferException e) {
            throw new CallRefusal(ErrorCode.INVALID_PAYLOAD, "payload of " + method + ": " + e.getMessage());
        }
    }

    public A readResponse(ByteString payload) {
        try {
            return response.parseFrom(payload);
        } catch (InvalidProtocolBufferException e) {
            throw new LinkException(LinkException.Kind.BAD_ANSWER, "answer of " + method + ": " + e.getMessage());
        }
    }
}
