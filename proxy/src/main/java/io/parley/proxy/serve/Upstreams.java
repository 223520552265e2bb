package io.parley.proxy.serve;

import io.netty.channel.Channel;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.http1.Http1Client;
import io.parley.proxy.http1.Http1Scratch;
import io.parley.proxy.http2.Http2Client;
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Upstream;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Makes connections to servers out of channels, on one event loop. */
final class Upstreams implements Pool.Factory {
    private final Http1Scratch scratch;
    private final LongSupplier ticker;
    private @Nullable HttpLoop loop;

    Upstreams(Http1Scratch scratch, LongSupplier ticker) {
        this.scratch = scratch;
        this.ticker = ticker;
    }

    void on(HttpLoop here) {
        loop = here;
    }

    @Override
    public Upstream create(Pool pool, Channel channel, Version version) {
        if (version == Version.HTTP2) {
            Http2Client client = new Http2Client(Objects.requireNonNull(loop), pool, channel);
            client.start();
            return client;
        }
        Http1Client client = new Http1Client(pool, channel, scratch, ticker);
        client.start();
        return client;
    }
}
