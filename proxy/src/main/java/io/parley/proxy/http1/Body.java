package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** How far the body of a message has come. Bytes are looked at where they are; they are counted off, not copied. */
final class Body {
    /** How a body ends. */
    enum Framing {
        NONE,
        LENGTH,
        CHUNKED,
        UNTIL_CLOSE
    }

    /** Takes the content of a body, without its framing. */
    interface Content {
        void take(ByteBuf in, int from, int length);
    }

    private static final Content NOBODY = (_, _, _) -> {};

    private final TrailerFields fields;
    private Framing framing = Framing.NONE;
    private long remaining;
    private long received;
    private @Nullable ChunkScanner chunks;
    private @Nullable Flaw flaw;

    /** Takes these fields after the content. */
    Body(TrailerFields fields) {
        this.fields = fields;
    }

    void none() {
        start(Framing.NONE, 0);
    }

    void length(long length) {
        start(length == 0 ? Framing.NONE : Framing.LENGTH, length);
    }

    void chunked() {
        start(Framing.CHUNKED, 0);
        if (chunks == null) {
            chunks = new ChunkScanner(fields);
        }
        chunks.start();
    }

    void untilClose() {
        start(Framing.UNTIL_CLOSE, Long.MAX_VALUE);
    }

    /** The body of an answer (RFC 9112 6.3). */
    void frame(ResponseHead head, boolean isHeadRequest) {
        if (isHeadRequest || head.status() == 204 || head.status() == 304) {
            none();
        } else if (head.isChunked()) {
            chunked();
        } else if (head.contentLength() != HeadScanner.NO_LENGTH) {
            length(head.contentLength());
        } else {
            untilClose();
        }
    }

    private void start(Framing now, long length) {
        framing = now;
        remaining = length;
        received = 0;
        flaw = null;
    }

    Framing framing() {
        return framing;
    }

    /** Bytes of content so far. */
    long received() {
        return received;
    }

    boolean isComplete() {
        return switch (framing) {
            case NONE -> true;
            case LENGTH -> remaining == 0;
            case CHUNKED -> chunks != null && chunks.isComplete();
            case UNTIL_CLOSE -> false;
        };
    }

    Flaw flaw() {
        if (flaw == null) {
            throw new IllegalStateException("the body has no flaw");
        }
        return flaw;
    }

    /** The fields after a chunked body; null if there were none. */
    @Nullable
    Fields trailers() {
        return chunks == null ? null : chunks.trailers();
    }

    /** Counts off those of the bytes from {@code from} to {@code to} that belong to the body; -1 if it has a flaw. */
    int take(ByteBuf in, int from, int to) {
        return take(in, from, to, NOBODY);
    }

    int take(ByteBuf in, int from, int to, Content content) {
        int available = to - from;
        return switch (framing) {
            case NONE -> 0;
            case LENGTH, UNTIL_CLOSE -> {
                int taken = (int) Math.min(available, remaining);
                if (framing == Framing.LENGTH) {
                    remaining -= taken;
                }
                received += taken;
                if (taken > 0) {
                    content.take(in, from, taken);
                }
                yield taken;
            }
            case CHUNKED -> takeChunks(in, from, to, content);
        };
    }

    private int takeChunks(ByteBuf in, int from, int to, Content content) {
        ChunkScanner scanner = chunks;
        if (scanner == null) {
            throw new IllegalStateException("not chunked");
        }
        int taken = scanner.scan(in, from, to, (buffer, at, length) -> {
            received += length;
            content.take(buffer, at, length);
        });
        if (taken < 0) {
            flaw = scanner.flaw();
        }
        return taken;
    }
}
