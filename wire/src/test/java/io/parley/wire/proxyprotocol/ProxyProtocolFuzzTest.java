package io.parley.wire.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** No bytes make the PROXY protocol reader throw, read past its input, or wait for bytes that it already has. */
class ProxyProtocolFuzzTest {
    @FuzzTest
    void fuzz(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        switch (ProxyProtocol.read(in)) {
            case ProxyRead.NeedMore(var atLeast) -> assertThat(atLeast).isGreaterThan(bytes.length);
            case ProxyRead.Found(var _, var length) -> assertThat(length).isBetween(15, bytes.length);
            case ProxyRead.Absent() -> {}
            case ProxyRead.Malformed _ -> {}
        }
    }
}
