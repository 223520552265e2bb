package io.parley.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.parley.wire.http.Fields;

/** Takes what a server answers to one request. Called on the event loop; buffers are handed over. */
public interface Answers {
    /** What the one who asked wants of the rest. */
    enum Form {
        /** The bytes as they came, head included. */
        WIRE,

        /** The content without its framing; the head has been taken. */
        CONTENT,

        /** Nothing: the answer is not wanted. */
        NOTHING
    }

    /** Why there is no answer, or no more of it. */
    enum Failure {
        /**
         * A connection that had served before ended before a byte of the answer came, or whoever was at its other end is there no more:
         * the request may never have been seen.
         */
        STALE,

        /**
         * A connection ended before its server said a word, which a server of HTTP/2 does as soon as it has it (RFC 9113 3.4): nobody took the connection,
         * as if it could not have been opened, or it is no server of HTTP/2.
         */
        UNTAKEN,

        /** The server said that it has not looked at the request. */
        REFUSED,
        RESET,

        /** The server called the request off. */
        CANCELLED,

        /** The server had too much of it. */
        TOO_MUCH,

        /** It took too long. */
        TIMEOUT,

        /** What came was no answer. */
        BAD_ANSWER
    }

    /** Whether the request must be read so: an answer to HEAD has no body, whatever it says. */
    boolean isHeadRequest();

    /** The head of an interim answer (1xx). */
    void informed(Answer answer);

    /** The head of the answer. */
    Form answered(Answer answer, boolean last);

    void wire(ByteBuf bytes, boolean last);

    void data(ByteBuf content, boolean last);

    void trailers(Fields trailers);

    void flush();

    /** Nothing more will come. */
    void failed(Failure failure, String detail);

    /** The server takes bytes again. */
    void writable();
}
