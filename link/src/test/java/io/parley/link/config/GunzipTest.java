package io.parley.link.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.parley.link.CallRefusal;
import io.parley.wire.wrpc.proto.GranularHashes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GunzipTest {
    @Test
    void unpacksWhatWasPacked() {
        byte[] json = "{\"_format_version\":\"3.0\"}".getBytes(StandardCharsets.UTF_8);

        World world = World.pack(json, "a".repeat(32), GranularHashes.getDefaultInstance());

        assertThat(Gunzip.unpack(world.gzip())).isEqualTo(json);
    }

    @Test
    void aBombIsRefusedWhileItIsUnpacked() throws IOException {
        ByteString bomb = zeros(64);
        assertThat(bomb.size()).isLessThan(1 << 20);

        assertThatThrownBy(() -> Gunzip.unpack(bomb))
                .isInstanceOf(CallRefusal.class)
                .hasMessageContaining("100 to 1");
    }

    @Test
    void moreThanTheLimitIsRefusedAtAnyRatio() throws IOException {
        var packed = new ByteArrayOutputStream();
        byte[] noise = new byte[Gunzip.MAX_BYTES + 1];
        new Random(7).nextBytes(noise);
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(noise);
        }

        assertThatThrownBy(() -> Gunzip.unpack(ByteString.copyFrom(packed.toByteArray())))
                .isInstanceOf(CallRefusal.class)
                .hasMessageContaining("more than " + Gunzip.MAX_BYTES);
    }

    @Test
    void garbageAndTruncationAreRefused() throws IOException {
        ByteString whole = zeros(1).substring(0, 200);
        assertThatThrownBy(() -> Gunzip.unpack(whole)).isInstanceOf(CallRefusal.class);
        assertThatThrownBy(() -> Gunzip.unpack(ByteString.copyFromUtf8("plain")))
                .isInstanceOf(CallRefusal.class);
        assertThatThrownBy(() -> Gunzip.unpack(ByteString.EMPTY)).isInstanceOf(CallRefusal.class);
    }

    private static ByteString zeros(int megabytes) throws IOException {
        var packed = new ByteArrayOutputStream();
        byte[] megabyte = new byte[1 << 20];
        try (var gzip = new GZIPOutputStream(packed)) {
            for (int i = 0; i < megabytes; i++) {
                gzip.write(megabyte);
            }
        }
        return ByteString.copyFrom(packed.toByteArray());
    }
}
