package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.frame;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.parley.wire.http.Fields;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);

    /** {@code GET / http a}, from the static table of HPACK. */
    private static final byte[] REQUEST = {(byte) 0x82, (byte) 0x84, (byte) 0x86, 0x01, 0x01, 'a'};

    private static byte[] conversation() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(PREFACE);
        all.writeBytes(frame(Wire.SETTINGS, 0, 0, new byte[] {0, 4, 0, 1, 0, 0}));
        all.writeBytes(frame(Wire.HEADERS, Wire.END_HEADERS, 1, REQUEST));
        all.writeBytes(frame(Wire.DATA, 0, 1, bytes("abc")));
        all.writeBytes(frame(Wire.DATA, Wire.PADDED, 1, new byte[] {2, 'd', 'e', 0, 0}));
        all.writeBytes(frame(Wire.DATA, Wire.PADDED, 1, new byte[] {0}));
        all.writeBytes(frame(Wire.PING, 0, 0, new byte[8]));
        all.writeBytes(frame(Wire.WINDOW_UPDATE, 0, 1, new byte[] {0, 0, 0, 9}));
        all.writeBytes(frame(Wire.DATA, Wire.END_STREAM, 1));
        all.writeBytes(frame(Wire.HEADERS, Wire.END_STREAM, 3, new byte[] {(byte) 0x82}));
        all.writeBytes(frame(Wire.CONTINUATION, 0, 3));
        all.writeBytes(frame(Wire.CONTINUATION, Wire.END_HEADERS, 3, new byte[] {(byte) 0x84}));
        all.writeBytes(frame(Wire.PRIORITY, 0, 5, new byte[] {0, 0, 0, 1, 7}));
        all.writeBytes(frame(0xfa, 0, 0, bytes("who knows")));
        all.writeBytes(frame(Wire.RST_STREAM, 0, 3, new byte[] {0, 0, 0, 8}));
        all.writeBytes(frame(Wire.GOAWAY, 0, 0, new byte[8]));
        return all.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static List<String> whole() {
        return List.of(
                "setting 4 = 65536",
                "settings end",
                "head 1 GET /",
                "data 1 abcde",
                "ping",
                "window 1 9",
                "data 1 end",
                "head 3 GET / end",
                "priority",
                "meaningless 250",
                "reset 3 8",
                "go away 0");
    }

    @Test
    void readsTheSameHoweverTheBytesAreCut() throws Http2Fault {
        byte[] all = conversation();
        for (int cut = 0; cut <= all.length; cut++) {
            assertThat(read(all, cut)).as("cut at %d", cut).isEqualTo(whole());
        }
    }

    @Test
    void readsTheSameByteByByte() throws Http2Fault {
        Notes notes = new Notes();
        FrameReader reader = reader(notes);
        for (byte one : conversation()) {
            reader.read(Unpooled.wrappedBuffer(new byte[] {one}));
        }
        assertThat(notes.joined()).isEqualTo(whole());
        assertThat(reader.isMidway()).isFalse();
    }

    @Test
    void knowsWhetherSomethingHasBegunThatHasNotEnded() throws Http2Fault {
        FrameReader reader = reader(new Notes());
        assertThat(reader.isMidway()).isTrue();
        reader.read(Unpooled.wrappedBuffer(PREFACE));
        assertThat(reader.isMidway()).isFalse();
        reader.read(Unpooled.wrappedBuffer(frame(Wire.SETTINGS, 0, 0)));
        assertThat(reader.whole()).isEqualTo(1);
        byte[] head = frame(Wire.HEADERS, 0, 1, REQUEST);
        reader.read(Unpooled.wrappedBuffer(head, 0, 4));
        assertThat(reader.isMidway()).isTrue();
        reader.read(Unpooled.wrappedBuffer(head, 4, head.length - 4));
        assertThat(reader.isMidway()).as("the head goes on").isTrue();
        assertThat(reader.contentOf()).isZero();
        reader.read(Unpooled.wrappedBuffer(frame(Wire.CONTINUATION, Wire.END_HEADERS, 1)));
        assertThat(reader.isMidway()).isFalse();
        assertThat(reader.whole()).isEqualTo(2);
        byte[] content = frame(Wire.DATA, 0, 1, bytes("abc"));
        reader.read(Unpooled.wrappedBuffer(content, 0, content.length - 1));
        assertThat(reader.isMidway()).isTrue();
        assertThat(reader.contentOf()).isEqualTo(1);
        reader.read(Unpooled.wrappedBuffer(content, content.length - 1, 1));
        assertThat(reader.isMidway()).isFalse();
        assertThat(reader.contentOf()).isZero();
    }

    @Test
    void whatIsNoPrefaceEndsTheConnection() {
        FrameReader reader = reader(new Notes());
        ByteBuf request = Unpooled.wrappedBuffer(bytes("PRI * HTTP/1.1\r\n"));
        assertThatThrownBy(() -> reader.read(request)).isInstanceOf(Http2Fault.class);
    }

    @Test
    void aHeadThatNeverEndsIsGivenUp() throws Http2Fault {
        FrameReader reader = reader(new Notes());
        reader.read(Unpooled.wrappedBuffer(PREFACE, frame(Wire.SETTINGS, 0, 0), frame(Wire.HEADERS, 0, 1, REQUEST)));
        ByteBuf much = Unpooled.wrappedBuffer(frame(Wire.CONTINUATION, 0, 1, new byte[Wire.USUAL_FRAME]));
        assertThatThrownBy(() -> reader.read(much)).hasMessageContaining("head-too-large");
        reader.close();
    }

    private static FrameReader reader(Notes notes) {
        return new FrameReader(true, 1_024, notes, UnpooledByteBufAllocator.DEFAULT);
    }

    private static List<String> read(byte[] all, int cut) throws Http2Fault {
        Notes notes = new Notes();
        FrameReader reader = reader(notes);
        reader.read(Unpooled.wrappedBuffer(all, 0, cut));
        reader.read(Unpooled.wrappedBuffer(all, cut, all.length - cut));
        reader.close();
        return notes.joined();
    }

    /** Notes what it is told. */
    private static final class Notes implements FrameSink {
        private static final String DATA = "data 1 ";
        private final List<String> notes = new ArrayList<>();

        /** With all content that came in a row, in however many pieces, as one. */
        List<String> joined() {
            List<String> joined = new ArrayList<>();
            for (String note : notes) {
                boolean goesOn = note.startsWith(DATA)
                        && !joined.isEmpty()
                        && joined.getLast().startsWith(DATA);
                if (goesOn) {
                    joined.set(joined.size() - 1, joined.getLast() + note.substring(DATA.length()));
                } else {
                    joined.add(note);
                }
            }
            return joined;
        }

        @Override
        public void dataBegins(int stream, int bytes, boolean last) {}

        @Override
        public void padding(int stream, int bytes) {}

        @Override
        public void data(int stream, ByteBuf content, boolean last) {
            String text = content.toString(ISO_8859_1);
            content.release();
            if (last || !text.isEmpty()) {
                notes.add("data " + stream + " " + text + (last ? "end" : ""));
            }
        }

        @Override
        public void head(int stream, Fields fields, @Nullable String flaw, boolean last) {
            notes.add("head " + stream + " " + fields.method() + " " + fields.path() + (last ? " end" : ""));
        }

        @Override
        public void headTooLarge(int stream, boolean last) {
            notes.add("head too large");
        }

        @Override
        public void priority() {
            notes.add("priority");
        }

        @Override
        public void reset(int stream, int code) {
            notes.add("reset " + stream + " " + code);
        }

        @Override
        public void setting(int name, int value) {
            notes.add("setting " + name + " = " + value);
        }

        @Override
        public void settingsEnd() {
            notes.add("settings end");
        }

        @Override
        public void ping(long content) {
            notes.add("ping");
        }

        @Override
        public void goAway(int lastStream, int code) {
            notes.add("go away " + lastStream);
        }

        @Override
        public void windowUpdate(int stream, int increment) {
            notes.add("window " + stream + " " + increment);
        }

        @Override
        public void settingsHeard() {
            notes.add("settings heard");
        }

        @Override
        public void meaningless(int type) {
            notes.add("meaningless " + type);
        }

        @Override
        public void failed(Http2Fault fault) {
            notes.add("failed " + fault.text());
        }
    }
}
