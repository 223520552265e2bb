package io.parley.link.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AcceptLoopsTest {
    @Test
    void aServerThatStopsEndsThem() {
        var used = new AtomicReference<EventLoopGroup>();
        Server server = Server.builder()
                .http(0)
                .service("/", (_, _) -> HttpResponse.of(200))
                .bossGroupFactory(name -> {
                    used.set(AcceptLoops.named(name));
                    return used.get();
                })
                .build();
        server.start().join();

        server.stop().join();

        assertThat(used.get().isTerminated()).isTrue();
    }

    /** Else the server would tell another group to end, which would first stand idle. */
    @Test
    void eachBelongsToTheGroupThatEndsAtOnce() {
        EventLoopGroup group = AcceptLoops.named("accept");

        assertThat(group.next().parent()).isSameAs(group);
        assertThat(group.shutdownGracefully().awaitUninterruptibly(1, TimeUnit.MINUTES))
                .isTrue();
    }
}
