package io.parley.proxy.http2;

/** Something that a peer did for which a stream or the whole connection must end. */
final class Http2Fault extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int CONNECTION = 0;

    private final int stream;
    private final ErrorCode code;
    private final String word;

    private Http2Fault(int stream, ErrorCode code, String word, String text) {
        // It is about bytes and not about code: where it was noticed tells nothing, and a flood must not be dear.
        super(text, null, false, false);
        this.stream = stream;
        this.code = code;
        this.word = word;
    }

    /** The connection ends. */
    static Http2Fault ofConnection(ErrorCode code, String text) {
        return new Http2Fault(CONNECTION, code, code.word(), text);
    }

    /** The connection ends, as there was too much of something; the word is what it is called in the metrics. */
    static Http2Fault flood(String word) {
        return new Http2Fault(CONNECTION, ErrorCode.ENHANCE_YOUR_CALM, word, "too much: " + word);
    }

    /** The stream ends, and the connection goes on. */
    static Http2Fault ofStream(int stream, ErrorCode code, String text) {
        return new Http2Fault(stream, code, code.word(), text);
    }

    boolean endsConnection() {
        return stream == CONNECTION;
    }

    int stream() {
        return stream;
    }

    ErrorCode code() {
        return code;
    }

    /** What it is called in the metrics. */
    String word() {
        return word;
    }

    /** What happened, for people. */
    String text() {
        return String.valueOf(getMessage());
    }
}
