package io.parley.proxy.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventLoopsTest {
    /** Told by a task of its own, a loop has already looked whether to close what is open. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatIsOpenIsClosedAndLetGoHoweverLateALoopIsToldToEnd() {
        try (EventLoops loops = new EventLoops(1, "test", NioIoHandler.newFactory())) {
            CountDownLatch removed = new CountDownLatch(1);
            Channel open = new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void handlerRemoved(ChannelHandlerContext ctx) {
                            removed.countDown();
                        }
                    })
                    .childHandler(new ChannelInboundHandlerAdapter())
                    .bind(0)
                    .syncUninterruptibly()
                    .channel();
            open.eventLoop().execute(() -> loops.shutdownGracefully(0, 2, TimeUnit.SECONDS));
            loops.terminationFuture().syncUninterruptibly();
            assertThat(open.isOpen()).isFalse();
            assertThat(removed.getCount()).isZero();
        }
    }
}
