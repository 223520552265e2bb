package io.parley.proxy.http1;

import io.parley.proxy.exchange.Cause;

/** What can be wrong with a message. Each kind has its own word in metrics and in the answer. */
public enum Flaw implements Cause {
    REQUEST_LINE(400, "request-line"),
    METHOD(400, "method"),
    TARGET(400, "target"),
    VERSION(400, "version"),
    STATUS_LINE(400, "status-line"),
    LINE_TOO_LONG(414, "uri-too-long"),
    HEAD_TOO_LARGE(431, "head-too-large"),
    TOO_MANY_FIELDS(431, "too-many-fields"),
    BARE_LINE_FEED(400, "bare-lf"),
    BARE_CARRIAGE_RETURN(400, "bare-cr"),
    FOLDED_LINE(400, "folded-line"),
    FIELD_NAME(400, "field-name"),
    FIELD_VALUE(400, "field-value"),
    UNDERSCORE(400, "underscore"),
    HOST_MISSING(400, "host-missing"),
    HOST_TWICE(400, "host-twice"),
    HOST(400, "host"),
    CONTENT_LENGTH(400, "content-length"),
    CONTENT_LENGTH_TWICE(400, "content-length-twice"),
    TRANSFER_CODING(400, "transfer-coding"),
    LENGTH_AND_CODING(400, "length-and-coding"),
    CODING_IN_1_0(400, "coding-in-1-0"),
    CHUNK_SIZE(400, "chunk-size"),
    CHUNK_EXTENSION(400, "chunk-extension"),
    CHUNK_END(400, "chunk-end"),
    TRAILER(400, "trailer"),
    TRAILERS_TOO_LARGE(431, "trailers-too-large"),
    PATH(400, "path"),
    EXPECTATION(417, "expectation"),
    UPGRADE(400, "upgrade"),
    CONNECT(405, "connect"),
    BODY_TOO_LARGE(413, "body-too-large"),
    HEAD_TIMEOUT(408, "head-timeout"),
    REQUEST_TIMEOUT(408, "request-timeout");

    private final int status;
    private final String word;

    Flaw(int status, String word) {
        this.status = status;
        this.word = word;
    }

    /** The answer to a client whose request has it. */
    public int status() {
        return status;
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public String told() {
        return "the request was refused: " + word;
    }
}
