package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.parley.proxy.Direction;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer that the proxy gives by itself, with a word that metrics count and a sentence for clients. */
public final class LocalAnswer {
    /** Statuses of gRPC. */
    public static final int CANCELLED = 1;

    public static final int RESOURCE_EXHAUSTED = 8;
    private static final int DEADLINE_EXCEEDED = 4;
    private static final int INTERNAL = 13;

    /** The word for the cause, for programs. */
    private static final AsciiString CAUSE = AsciiString.cached("x-parley-error");

    private static final AsciiString OK = AsciiString.cached("200");
    private static final AsciiString TYPE = AsciiString.cached("content-type");
    private static final AsciiString LENGTH = AsciiString.cached("content-length");
    private static final AsciiString TEXT = AsciiString.cached("text/plain; charset=utf-8");
    private static final AsciiString GRPC = AsciiString.cached("application/grpc");
    private static final AsciiString GRPC_STATUS = AsciiString.cached("grpc-status");
    private static final AsciiString GRPC_MESSAGE = AsciiString.cached("grpc-message");

    private LocalAnswer() {}

    /** In which form a client understands a failure. */
    public enum Form {
        TEXT,

        /** An answer to HEAD has no content; what it says about it is as for GET. */
        HEAD,
        GRPC;

        /** What the sender of a request understands. */
        static Form of(RequestView view, Version version) {
            // Calls of gRPC are POST and nothing else, so most requests are not searched for their type.
            String type = version == Version.HTTP2 && view.isMethod("POST") ? view.field("content-type") : null;
            if (type != null && TextMatch.MediaType.GRPC.matches(type)) {
                return GRPC;
            }
            return view.isMethod("HEAD") ? HEAD : TEXT;
        }
    }

    /**
     * What the proxy says in a server's place.
     *
     * @param told what the client is told
     * @param detail the whole of it, for the log
     * @param grpcStatus what a client of gRPC is told; null for what follows from the status
     * @param edits what is added to the head
     */
    record Failure(
            int status,
            Cause cause,
            String told,
            String detail,
            @Nullable Integer grpcStatus,
            FieldEdits edits) {
        static Failure of(int status, Cause cause) {
            return of(status, cause, cause.told());
        }

        static Failure of(int status, Cause cause, String detail) {
            return new Failure(status, cause, cause.told(), detail, null, FieldEdits.NONE);
        }

        /** For what became of a request that was sent to a server. */
        static Failure of(Answers.Failure failure, String detail) {
            return switch (failure) {
                case TIMEOUT -> of(504, Hindrance.TIMEOUT, detail);
                case BAD_ANSWER -> of(502, Hindrance.BAD_ANSWER, detail);
                case STALE, UNTAKEN, REFUSED, RESET, CANCELLED, TOO_MUCH ->
                    of(502, Hindrance.NO_ANSWER, detail).with(saidOf(failure), FieldEdits.NONE);
            };
        }

        /** For a call of gRPC that its server has called off when the time was over that its client allows. */
        static Failure pastDeadline(String detail) {
            return of(504, Hindrance.TIMEOUT, detail).with(DEADLINE_EXCEEDED, FieldEdits.NONE);
        }

        /** For an answer that has begun and does not come to its end. */
        static Failure cutOff(Answers.Failure failure, String detail) {
            return of(502, Hindrance.CUT_OFF, detail).with(saidOf(failure), FieldEdits.NONE);
        }

        /** gRPC over HTTP/2: what the code means with which a server has reset a call; null if that is no word about the call. */
        private static @Nullable Integer saidOf(Answers.Failure failure) {
            return switch (failure) {
                case CANCELLED -> CANCELLED;
                case TOO_MUCH -> RESOURCE_EXHAUSTED;
                case STALE, UNTAKEN, REFUSED, RESET, TIMEOUT, BAD_ANSWER -> null;
            };
        }

        /** The same, with what a client of gRPC is told, and what is added to the head. */
        Failure with(@Nullable Integer grpc, FieldEdits added) {
            return new Failure(status, cause, told, detail, grpc, added);
        }

        /** What a client of gRPC is told. */
        int grpc() {
            return grpcStatus == null ? LocalAnswer.grpcStatus(status) : grpcStatus;
        }

        /** What a client of gRPC makes of a stream that is reset for it: there are codes for few of its statuses. */
        int grpcOfReset() {
            return grpc() == CANCELLED || grpc() == RESOURCE_EXHAUSTED ? grpc() : INTERNAL;
        }

        /** Counts it, and has it logged if that is all that will be known of it. */
        void tell(HttpLoop loop, Direction direction, String destination) {
            loop.telemetry().error(direction, cause.word()).increment();
            if (cause.isTrouble()) {
                loop.telemetry().failures().note(destination, cause.word(), detail, loop.now());
            }
        }
    }

    /** Sends a failure to a client, with what a browser is told. */
    static void fail(AnswerSink sink, Form form, Failure failure, Map<String, String> cors) {
        Fields head = new Fields();
        head.set(CAUSE, new AsciiString(failure.cause.word()));
        FieldEditing.apply(failure.edits, head);
        Shaping.set(cors, head);
        if (form == Form.GRPC) {
            head.set(Fields.STATUS, OK);
            head.set(TYPE, GRPC);
            head.set(GRPC_STATUS, new AsciiString(Integer.toString(failure.grpc())));
            head.set(GRPC_MESSAGE, new AsciiString(percentEncoded(failure.told)));
            sink.head(head, true);
        } else {
            send(sink, form, head, failure.status, failure.told + "\n");
        }
    }

    /** Sends an answer with a text. */
    static void send(AnswerSink sink, Form form, Fields head, int status, String text) {
        boolean bodyless = status == 204 || status == 304;
        ByteBuf body = bodyless ? Unpooled.EMPTY_BUFFER : Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
        head.set(Fields.STATUS, HttpResponseStatus.valueOf(status).codeAsText());
        if (body.isReadable()) {
            head.set(TYPE, TEXT);
        }
        if (!bodyless) {
            head.set(LENGTH, new AsciiString(Integer.toString(body.readableBytes())));
        }
        boolean last = form == Form.HEAD || !body.isReadable();
        sink.head(head, last);
        if (!last) {
            sink.data(body, true);
        } else {
            body.release();
        }
    }

    /** gRPC's table of HTTP statuses, and UNIMPLEMENTED for what nobody serves. */
    static int grpcStatus(int status) {
        return switch (status) {
            case 400, 413, 431 -> 13;
            case 401 -> 16;
            case 403 -> 7;
            case 404 -> 12;
            case 429, 502, 503, 504 -> 14;
            case 408 -> 4;
            default -> status >= 500 ? 14 : 2;
        };
    }

    /** gRPC over HTTP/2: everything but printable ASCII is percent-encoded. */
    static String percentEncoded(String text) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b >= 0x20 && b < 0x7f && b != '%') {
                out.append((char) b);
            } else {
                out.append(String.format("%%%02X", b & 0xff));
            }
        }
        return out.toString();
    }
}
