package io.parley.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloReaderTest {
    @Test
    void readsServerNameAndProtocols() {
        ByteBuf in = Hellos.real("Web.Example.com", List.of("transport.l5d.io/v1", "h2"));
        assertThat(ClientHelloReader.read(in))
                .isEqualTo(
                        new HelloRead.Found(new ClientHello("web.example.com", List.of("transport.l5d.io/v1", "h2"))));
        assertThat(in.readerIndex()).isZero();
    }

    @Test
    void aClientMayGiveNoName() {
        assertThat(ClientHelloReader.read(Hellos.real(null, List.of())))
                .isEqualTo(new HelloRead.Found(new ClientHello(null, List.of())));
    }

    @Test
    void case34_everyPrefixIsUndecided() {
        ByteBuf whole = Hellos.real("web.example.com", List.of("h2"));
        for (int cut = 0; cut < whole.readableBytes(); cut++) {
            HelloRead read = ClientHelloReader.read(whole.slice(0, cut));
            assertThat(read).as("first %d bytes", cut).isInstanceOf(HelloRead.NeedMore.class);
            assertThat(((HelloRead.NeedMore) read).atLeast()).isGreaterThan(cut);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void aClientHelloMaySpanRecords(int size) {
        ByteBuf in = Hellos.inRecordsOf(size, Hellos.real("web.example.com", List.of("h2")));
        for (int cut = 0; cut < in.readableBytes(); cut += size == 1 ? 13 : 1) {
            assertThat(ClientHelloReader.read(in.slice(0, cut))).isInstanceOf(HelloRead.NeedMore.class);
        }
        assertThat(ClientHelloReader.read(in))
                .isEqualTo(new HelloRead.Found(new ClientHello("web.example.com", List.of("h2"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"160301", "160303"})
    void case34_recordVersionsThatClientsSend(String start) {
        assertThat(read(start)).isInstanceOf(HelloRead.NeedMore.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"160300", "160302", "150303", "1602", "17", "00", "16030121", "1603012001" + "02"})
    void case34_theFirstOddByteDecides(String start) {
        assertThat(read(start)).isInstanceOf(HelloRead.NotTls.class);
    }

    @Test
    void case34_aRecordHasAtMost8192Bytes() {
        assertThat(read("160301" + "2001" + "01000400")).isInstanceOf(HelloRead.NotTls.class);
        assertThat(read("160301" + "2000" + "01000400")).isInstanceOf(HelloRead.NeedMore.class);
    }

    @Test
    void givesUpOnAHelloLongerThanTheLimitWithoutWaitingForIt() {
        assertThat(read("160301" + "2000" + "01010000")).isInstanceOf(HelloRead.NotTls.class);
        ByteBuf tiny = Unpooled.buffer();
        tiny.writeBytes(ByteBufUtil.decodeHexDump("160301000401008000"));
        while (tiny.readableBytes() < ClientHelloReader.MAX_BYTES) {
            tiny.writeMedium(0x160301).writeShort(1).writeByte(0);
        }
        assertThat(ClientHelloReader.read(tiny)).isInstanceOf(HelloRead.NotTls.class);
    }

    /** Who relies on it looks no more often than at each byte that can decide. */
    @Test
    void saysHowManyBytesTheNextLookNeeds() {
        String record = "160301" + "0100";
        assertThat(read(record + "01")).as("its length").isEqualTo(new HelloRead.NeedMore(9));
        assertThat(read(record + "010000")).isEqualTo(new HelloRead.NeedMore(9));
        assertThat(read(record + "01000200")).as("the record").isEqualTo(new HelloRead.NeedMore(5 + 256));
        assertThat(read("160301" + "0002" + "0100")).as("the next header").isEqualTo(new HelloRead.NeedMore(12));
        assertThat(read("160301" + "0001" + "01" + "160301" + "0001"))
                .as("a record that ends before the length does")
                .isEqualTo(new HelloRead.NeedMore(12));
    }

    @Test
    void givesUpOnAHelloInCrumbs() {
        ByteBuf crumbs = Unpooled.buffer();
        crumbs.writeBytes(ByteBufUtil.decodeHexDump("160301000401008000"));
        for (int record = 2; record < ClientHelloReader.MAX_RECORDS; record++) {
            crumbs.writeMedium(0x160301).writeShort(1).writeByte(0);
        }
        assertThat(ClientHelloReader.read(crumbs)).isInstanceOf(HelloRead.NeedMore.class);
        crumbs.writeMedium(0x160301).writeShort(1).writeByte(0);
        assertThat(ClientHelloReader.read(crumbs))
                .isEqualTo(new HelloRead.NotTls("ClientHello in more than 1024 records"));
    }

    @Test
    void lengthsThatPointPastTheEndAreNotTls() {
        ByteBuf whole = Hellos.real("web.example.com", List.of("h2"));
        // Session id length, after record header, handshake header, version and random.
        whole.setByte(5 + 4 + 2 + 32, 255);
        assertThat(ClientHelloReader.read(whole)).isInstanceOf(HelloRead.NotTls.class);
    }

    @Test
    void aNameThatIsNoDnsNameIsNotTls() {
        ByteBuf whole = Hellos.real("web.example.com", List.of());
        int at = ByteBufUtil.indexOf(
                Unpooled.copiedBuffer("web.example", java.nio.charset.StandardCharsets.US_ASCII), whole);
        whole.setByte(at + 3, 0);
        assertThat(ClientHelloReader.read(whole)).isEqualTo(new HelloRead.NotTls("server name is not a DNS name"));
    }

    private static HelloRead read(String hex) {
        return ClientHelloReader.read(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
    }
}
