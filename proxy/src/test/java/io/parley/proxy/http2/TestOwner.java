package io.parley.proxy.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.http.HttpLimits;
import io.parley.wire.http.Fields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes everything, looks at every head as the proxy would, and notes what was wrong. */
final class TestOwner implements LinkOwner {
    final List<String> offences = new ArrayList<>();
    final List<TestStream> begun = new ArrayList<>();
    private final boolean server;

    /** Whether streams keep what they are sent. */
    boolean keeping;

    boolean shared;

    TestOwner(boolean server) {
        this.server = server;
    }

    /** Takes everything. */
    static final class TestStream extends Http2Stream {
        final List<Fields> heads = new ArrayList<>();
        final StringBuilder content = new StringBuilder();
        int toldWritable;
        boolean keeps;
        boolean ended;
        boolean gone;

        /** Whether it fails when it hears of its end. */
        boolean fails;

        @Override
        void head(Fields fields, @Nullable String flaw, boolean last) {
            heads.add(fields);
            ended |= last;
        }

        @Override
        int received(ByteBuf data, boolean last) {
            int bytes = data.readableBytes();
            content.append(data.toString(ISO_8859_1));
            data.release();
            ended |= last;
            return keeps ? 0 : bytes;
        }

        @Override
        void gaveUp(long code, @Nullable Http2Fault fault) {}

        @Override
        void writable() {
            toldWritable++;
        }

        @Override
        void closed() {
            gone = true;
            if (fails) {
                throw new IllegalStateException("as it was told to");
            }
        }
    }

    @Override
    public boolean isServer() {
        return server;
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public int[] settings() {
        return new int[] {Wire.MAX_HEADER_LIST_SIZE, maxHead()};
    }

    @Override
    public int maxHead() {
        return 1_024;
    }

    @Override
    public int maxStreams() {
        return 100;
    }

    @Override
    public Http2Stream begins(int id, Fields head, @Nullable String flaw, boolean last) throws Http2Fault {
        String wrong = flaw == null ? HeadCheck.request(head, HttpLimits.DEFAULT.fields(), false) : flaw;
        if (wrong != null) {
            throw Http2Fault.ofStream(id, ErrorCode.PROTOCOL_ERROR, wrong);
        }
        TestStream stream = new TestStream();
        stream.keeps = keeping;
        stream.heads.add(head);
        begun.add(stream);
        return stream;
    }

    @Override
    public void begun(Http2Stream stream, boolean last) {}

    @Override
    public void resetCame() {}

    @Override
    public void refusedTooMany() {
        offences.add("refused");
    }

    @Override
    public void peersStreams(int most) {}

    @Override
    public void takesWebSockets() {}

    @Override
    public void settled() {}

    @Override
    public void goneAway(int lastStream) {}

    @Override
    public void heard() {}

    @Override
    public void inputEnded() {}

    @Override
    public void counted(String kind) {
        offences.add(kind);
    }

    @Override
    public void fatal(String kind) {
        offences.add(kind);
    }
}
