package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.parley.proxy.http.HttpLimits;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import io.parley.wire.http.Octets;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the head of one message after the other into the same memory: where each field is, how the body is framed, and which
 * fields are for this hop only. Nothing is made an object unless it is asked for. What one implementation may read in one way and
 * another in a different one is refused (RFC 9112 section 11.2), so whatever passes means the same to everybody behind.
 */
abstract class HeadScanner {
    /** Fields that are for this hop: the head cannot pass as it is. */
    static final int HOP = 1;

    static final int CLOSE = 1 << 1;
    static final int KEEP_ALIVE = 1 << 2;
    static final int UPGRADE = 1 << 3;
    static final int FORWARDED = 1 << 4;
    static final int EXPECT = 1 << 5;
    static final int CONNECTION_UPGRADE = 1 << 6;
    static final int IDENTITY = 1 << 7;

    static final long NO_LENGTH = -1;
    private static final int MAX_LENGTH_DIGITS = 18;
    private static final int SLACK = 16;

    private static final int STEP = 2 << 10;

    /** How far from a byte it can be seen that a head ends with it, beside the byte itself. */
    private static final int LOOK_BACK = 2;

    final HttpLimits limits;
    final byte[] bytes;
    private final int[] fields;
    private final Nominated nominated = new Nominated();
    private int count;
    private int end;
    private int flags;
    private long contentLength;
    private boolean chunked;
    private @Nullable Flaw flaw;

    HeadScanner(HttpLimits limits) {
        this.limits = limits;
        // Short of the end of a head, a few bytes more are looked at without asking.
        this.bytes = new byte[limits.head() + SLACK];
        this.fields = new int[4 * limits.fields()];
    }

    /**
     * Reads a head from the beginning of what is readable. What has been looked at is not looked at again until the end has come: else the work for one
     * that comes byte by byte would grow with the square of its length.
     *
     * @param seen how many of the bytes were there when this was last asked and answered 0
     * @return its length; 0 if its end has not come yet; -1 if it has a {@link #flaw}
     */
    final int scan(ByteBuf in, int seen) {
        int available = Math.min(in.readableBytes(), bytes.length - SLACK);
        flaw = null;
        int length = 0;
        int start = Math.max(0, seen - LOOK_BACK);
        int from = seen;
        // In steps: as a rule a head is short, and what comes with it is a body, which nobody here has to look at.
        for (int copied = start; length == 0 && copied < available; ) {
            int to = Math.min(available, Math.max(from, copied) + STEP);
            in.getBytes(in.readerIndex() + copied, bytes, copied, to - copied);
            length = findEnd(from, to);
            from = to;
            copied = to;
        }
        if (length == 0 && available == bytes.length - SLACK) {
            length = bad(Flaw.HEAD_TOO_LARGE);
        }
        if (length < 0) {
            glance(in);
        }
        if (length <= 0) {
            return length;
        }
        in.getBytes(in.readerIndex(), bytes, 0, start);
        end = length;
        return parse() ? length : -1;
    }

    /** Reads the first line, as far as it has come, of a head that will never be whole: that much of it can be told. */
    final void glance(ByteBuf in) {
        int available = Math.min(in.readableBytes(), bytes.length - SLACK);
        in.getBytes(in.readerIndex(), bytes, 0, available);
        // What is behind it is of another head.
        bytes[available] = Octets.LF;
        Flaw found = flaw;
        forget();
        firstLine(available);
        flaw = found;
    }

    private void forget() {
        count = 0;
        flags = 0;
        contentLength = NO_LENGTH;
        chunked = false;
        nominated.clear();
    }

    /** A head ends with an empty line. Lines end in CRLF: nothing else is taken for the end of one (RFC 9112 2.2 allows it). */
    private int findEnd(int seen, int available) {
        for (int i = seen; i < available; i++) {
            if (bytes[i] == Octets.LF) {
                if (i == 0 || bytes[i - 1] != Octets.CR) {
                    return bad(Flaw.BARE_LINE_FEED);
                }
                if (i >= 3 && bytes[i - 2] == Octets.LF) {
                    return i + 1;
                }
            }
        }
        return 0;
    }

    private boolean parse() {
        forget();
        int at = firstLine(end);
        while (at > 0 && bytes[at] != Octets.CR) {
            at = field(at);
        }
        if (at < 0) {
            return false;
        }
        if (bytes[at + 1] != Octets.LF) {
            return bad(Flaw.BARE_CARRIAGE_RETURN) > 0;
        }
        if (chunked && contentLength != NO_LENGTH) {
            return bad(Flaw.LENGTH_AND_CODING) > 0;
        }
        return check();
    }

    /** Reads the first line and says where the next one begins; -1 after {@link #bad}. */
    abstract int firstLine(int limit);

    /** Looks at the head as a whole. */
    abstract boolean check();

    /** Called for each field, for what only requests or only responses care about. */
    abstract boolean noticed(int nameStart, int nameEnd, int valueStart, int valueEnd);

    private int field(int start) {
        byte first = bytes[start];
        if (first == Octets.SPACE || first == Octets.TAB) {
            return bad(Flaw.FOLDED_LINE);
        }
        int at = start;
        while (Octets.isToken(bytes[at])) {
            at++;
        }
        if (at == start || bytes[at] != ':') {
            return bad(Flaw.FIELD_NAME);
        }
        int nameEnd = at++;
        while (bytes[at] == Octets.SPACE || bytes[at] == Octets.TAB) {
            at++;
        }
        int valueStart = at;
        while (Octets.isValue(bytes[at])) {
            at++;
        }
        if (bytes[at] != Octets.CR) {
            return bad(Flaw.FIELD_VALUE);
        }
        if (bytes[at + 1] != Octets.LF) {
            return bad(Flaw.BARE_CARRIAGE_RETURN);
        }
        int valueEnd = at;
        while (valueEnd > valueStart && (bytes[valueEnd - 1] == Octets.SPACE || bytes[valueEnd - 1] == Octets.TAB)) {
            valueEnd--;
        }
        return add(start, nameEnd, valueStart, valueEnd) ? at + 2 : -1;
    }

    private boolean add(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        if (count == limits.fields()) {
            return bad(Flaw.TOO_MANY_FIELDS) > 0;
        }
        int at = 4 * count++;
        fields[at] = nameStart;
        fields[at + 1] = nameEnd;
        fields[at + 2] = valueStart;
        fields[at + 3] = valueEnd;
        return known(nameStart, nameEnd, valueStart, valueEnd);
    }

    /** The length of the name tells most fields apart from those that matter here. */
    private boolean known(int name, int nameEnd, int value, int valueEnd) {
        switch (nameEnd - name) {
            case 2 -> flagIf(name, nameEnd, "te", HOP);
            case 7 -> {
                if (Octets.isText(bytes, name, nameEnd, "upgrade")) {
                    flags |= UPGRADE | HOP;
                }
            }
            case 10 -> {
                flagIf(name, nameEnd, "keep-alive", HOP);
                if (Octets.isText(bytes, name, nameEnd, "connection")) {
                    connection(value, valueEnd);
                }
            }
            case 14 -> {
                flagIf(name, nameEnd, "http2-settings", HOP);
                if (Octets.isText(bytes, name, nameEnd, "content-length")) {
                    return length(value, valueEnd);
                }
            }
            case 16 -> flagIf(name, nameEnd, "proxy-connection", HOP);
            case 17 -> {
                if (Octets.isText(bytes, name, nameEnd, "transfer-encoding")) {
                    return coding(value, valueEnd);
                }
            }
            default -> {}
        }
        return noticed(name, nameEnd, value, valueEnd);
    }

    private void flagIf(int name, int nameEnd, String text, int flag) {
        if (Octets.isText(bytes, name, nameEnd, text)) {
            flags |= flag;
        }
    }

    /** One length, in digits only: signs, lists and repetitions are read differently by different servers. */
    private boolean length(int value, int valueEnd) {
        if (contentLength != NO_LENGTH) {
            return bad(Flaw.CONTENT_LENGTH_TWICE) > 0;
        }
        if (value == valueEnd || valueEnd - value > MAX_LENGTH_DIGITS) {
            return bad(Flaw.CONTENT_LENGTH) > 0;
        }
        long length = 0;
        for (int i = value; i < valueEnd; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return bad(Flaw.CONTENT_LENGTH) > 0;
            }
            length = length * 10 + digit;
        }
        contentLength = length;
        return true;
    }

    private boolean coding(int value, int valueEnd) {
        if (chunked || !Octets.isText(bytes, value, valueEnd, "chunked")) {
            return bad(Flaw.TRANSFER_CODING) > 0;
        }
        chunked = true;
        return true;
    }

    private void connection(int value, int valueEnd) {
        int at = value;
        while (at < valueEnd) {
            int comma = at;
            while (comma < valueEnd && bytes[comma] != ',') {
                comma++;
            }
            option(at, comma);
            at = comma + 1;
        }
    }

    /** Alone, {@code keep-alive} says what this proxy does too, so that it may pass. */
    private void option(int from, int to) {
        int start = from;
        int stop = to;
        while (start < stop && (bytes[start] == Octets.SPACE || bytes[start] == Octets.TAB)) {
            start++;
        }
        while (stop > start && (bytes[stop - 1] == Octets.SPACE || bytes[stop - 1] == Octets.TAB)) {
            stop--;
        }
        if (Octets.isText(bytes, start, stop, "keep-alive")) {
            flags |= KEEP_ALIVE;
        } else if (Octets.isText(bytes, start, stop, "close")) {
            flags |= CLOSE | HOP;
        } else if (Octets.isText(bytes, start, stop, "upgrade")) {
            flags |= CONNECTION_UPGRADE | HOP;
        } else if (stop > start) {
            flags |= HOP;
            nominated.add(text(start, stop));
        }
    }

    final int bad(Flaw found) {
        flaw = found;
        return -1;
    }

    final void flag(int flag) {
        flags |= flag;
    }

    /** What is wrong, after -1. */
    final Flaw flaw() {
        if (flaw == null) {
            throw new IllegalStateException("the head has no flaw");
        }
        return flaw;
    }

    final boolean is(int flag) {
        return (flags & flag) != 0;
    }

    final boolean isChunked() {
        return chunked;
    }

    final long contentLength() {
        return contentLength;
    }

    final String text(int start, int stop) {
        return new String(bytes, start, stop - start, StandardCharsets.ISO_8859_1);
    }

    /** A copy: the next head is read into the same memory. */
    final AsciiString ascii(int start, int stop) {
        return new AsciiString(bytes, start, stop - start, true);
    }

    /** All values of a field as one; null if there is none. */
    public @Nullable String field(String name) {
        String first = null;
        StringJoiner all = null;
        for (int i = 0; i < 4 * count; i += 4) {
            if (!Octets.isText(bytes, fields[i], fields[i + 1], name)) {
                continue;
            }
            String value = text(fields[i + 2], fields[i + 3]);
            if (first == null) {
                first = value;
            } else {
                all = (all == null ? new StringJoiner(Fields.separator(name)).add(first) : all).add(value);
            }
        }
        return all == null ? first : all.toString();
    }

    /** Copies the fields that are for whoever comes next; {@code also} are left out as well. */
    final void copyFields(Fields to, Predicate<AsciiString> also) {
        for (int i = 0; i < 4 * count; i += 4) {
            AsciiString name = FieldNames.of(bytes, fields[i], fields[i + 1]);
            if (!HopFields.isForThisHop(name) && !nominated.has(name) && !also.test(name)) {
                to.add(Field.of(name, ascii(fields[i + 2], fields[i + 3])));
            }
        }
    }
}
