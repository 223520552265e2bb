package io.parley.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** No bytes make the ClientHello reader throw or wait for bytes that it already has. */
class ClientHelloFuzzTest {
    @FuzzTest
    void fuzz(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        switch (ClientHelloReader.read(in)) {
            case HelloRead.NeedMore(var atLeast) ->
                assertThat(atLeast).isGreaterThan(bytes.length).isLessThanOrEqualTo(ClientHelloReader.MAX_BYTES);
            case HelloRead.Found _ -> {}
            case HelloRead.NotTls _ -> {}
        }
    }
}
