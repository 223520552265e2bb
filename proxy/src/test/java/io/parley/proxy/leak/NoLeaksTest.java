package io.parley.proxy.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class NoLeaksTest {
    @Test
    void noticesABufferThatNobodyReleased() {
        lose();
        await().until(() -> {
            NoLeaks.provokeReports();
            return !NoLeaks.leaks().isEmpty();
        });
        assertThat(NoLeaks.leaks().poll()).contains("ByteBuf");
        NoLeaks.leaks().clear();
    }

    private static void lose() {
        ByteBuf _ = PooledByteBufAllocator.DEFAULT.directBuffer(16);
    }
}
