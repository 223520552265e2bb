package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.parley.proxy.http.HttpLimits;
import io.parley.wire.http.Fields;
import io.parley.wire.http.Octets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Follows a chunked body (RFC 9112 section 7.1) byte by byte where it must and by whole chunks where it can. Sizes are plain
 * hexadecimal numbers, lines end in CRLF and in nothing else, extensions are short and without controls, and trailers may not say
 * anything about framing or about where the message goes.
 */
final class ChunkScanner {
    private enum State {
        SIZE,
        EXTENSION,
        SIZE_END,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER,
        TRAILER_LF,
        DONE
    }

    private static final int MAX_SIZE_DIGITS = 8;
    private static final int MAX_EXTENSION = 256;
    private static final int MAX_TRAILERS = 8_192;

    /** Extensions that somebody uses are short, or the chunks are long: bytes beyond that are there to keep others busy. */
    private static final int USUAL_FRAMING = 16;

    private static final int MAX_EXCESS = 16_384;

    private final TrailerFields fields;
    private State state = State.SIZE;
    private long remaining;
    private int digits;
    private int extension;
    private long excess;
    private int trailerBytes;
    private final StringBuilder line = new StringBuilder();
    private @Nullable Fields trailers;
    private @Nullable Flaw flaw;

    /** Takes these after the content. */
    ChunkScanner(TrailerFields fields) {
        this.fields = fields;
    }

    void start() {
        state = State.SIZE;
        remaining = 0;
        digits = 0;
        extension = 0;
        excess = 0;
        trailerBytes = 0;
        line.setLength(0);
        trailers = null;
        flaw = null;
    }

    boolean isComplete() {
        return state == State.DONE;
    }

    Flaw flaw() {
        if (flaw == null) {
            throw new IllegalStateException("no flaw");
        }
        return flaw;
    }

    @Nullable
    Fields trailers() {
        return trailers;
    }

    /** How many bytes from {@code from} belong to the body; -1 if it has a flaw. */
    int scan(ByteBuf in, int from, int to, Body.Content content) {
        int at = from;
        while (at < to && state != State.DONE) {
            if (state == State.DATA) {
                int length = (int) Math.min(to - at, remaining);
                content.take(in, at, length);
                at += length;
                remaining -= length;
                if (remaining == 0) {
                    state = State.DATA_CR;
                }
            } else if (!step(in.getByte(at++))) {
                return -1;
            }
        }
        return at - from;
    }

    private boolean step(byte b) {
        return switch (state) {
            case SIZE -> size(b);
            case EXTENSION -> extension(b);
            case SIZE_END -> b == Octets.LF ? sizeDone() : bad(Flaw.CHUNK_SIZE);
            case DATA_CR -> b == Octets.CR ? to(State.DATA_LF) : bad(Flaw.CHUNK_END);
            case DATA_LF -> b == Octets.LF ? nextChunk() : bad(Flaw.CHUNK_END);
            case TRAILER -> trailer(b);
            case TRAILER_LF -> b == Octets.LF ? trailerDone() : bad(Flaw.TRAILER);
            case DATA, DONE -> throw new IllegalStateException("no byte is looked at in " + state);
        };
    }

    private boolean size(byte b) {
        int digit = b > 0 && b < 0x7f ? Character.digit(b, 16) : -1;
        if (digit >= 0) {
            remaining = remaining * 16 + digit;
            return ++digits <= MAX_SIZE_DIGITS || bad(Flaw.CHUNK_SIZE);
        }
        if (digits == 0) {
            return bad(Flaw.CHUNK_SIZE);
        }
        return switch (b) {
            case Octets.CR -> to(State.SIZE_END);
            case ';' -> to(State.EXTENSION);
            default -> bad(Flaw.CHUNK_SIZE);
        };
    }

    private boolean extension(byte b) {
        if (b == Octets.CR) {
            return to(State.SIZE_END);
        }
        return (Octets.isValue(b) && ++extension <= MAX_EXTENSION) || bad(Flaw.CHUNK_EXTENSION);
    }

    private boolean sizeDone() {
        excess = Math.max(0, excess + digits + extension - USUAL_FRAMING - 2 * remaining);
        if (excess > MAX_EXCESS) {
            return bad(Flaw.CHUNK_EXTENSION);
        }
        return to(remaining == 0 ? State.TRAILER : State.DATA);
    }

    private boolean nextChunk() {
        digits = 0;
        extension = 0;
        remaining = 0;
        return to(State.SIZE);
    }

    private boolean trailer(byte b) {
        if (++trailerBytes > MAX_TRAILERS) {
            return bad(Flaw.TRAILERS_TOO_LARGE);
        }
        if (b == Octets.CR) {
            return to(State.TRAILER_LF);
        }
        if (!Octets.isValue(b)) {
            return bad(Flaw.TRAILER);
        }
        line.append((char) (b & 0xff));
        return true;
    }

    private boolean trailerDone() {
        if (line.isEmpty()) {
            return to(State.DONE);
        }
        String text = line.toString();
        line.setLength(0);
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
        boolean token = !name.isEmpty() && name.chars().allMatch(c -> c < 0x80 && Octets.isToken((byte) c));
        if (!token || !fields.allow(name)) {
            return bad(Flaw.TRAILER);
        }
        if (trailers == null) {
            trailers = new Fields(4);
        }
        if (trailers.size() == HttpLimits.DEFAULT.fields()) {
            return bad(Flaw.TRAILERS_TOO_LARGE);
        }
        trailers.add(
                new AsciiString(name), new AsciiString(text.substring(colon + 1).strip()));
        return to(State.TRAILER);
    }

    private boolean to(State next) {
        state = next;
        return true;
    }

    private boolean bad(Flaw found) {
        flaw = found;
        return false;
    }
}
