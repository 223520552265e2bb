package io.parley.proxy.pool;

import io.netty.channel.EventLoop;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import java.time.Duration;
import java.util.IdentityHashMap;

/** All pools of one event loop. */
public final class Pools {
    private static final long IDLE_NANOS = Duration.ofSeconds(60).toNanos();

    private final EventLoop loop;
    private final Dialling dialling;
    private final Pool.Factory factory;
    private final IdentityHashMap<LiveEndpoint, Pool> http1 = new IdentityHashMap<>();
    private final IdentityHashMap<LiveEndpoint, Pool> http2 = new IdentityHashMap<>();

    public Pools(EventLoop loop, Dialling dialling, Pool.Factory factory) {
        this.loop = loop;
        this.dialling = dialling;
        this.factory = factory;
    }

    /** The pool for an endpoint of a cluster. */
    public Pool of(Cluster cluster, LiveEndpoint endpoint, Version version) {
        IdentityHashMap<LiveEndpoint, Pool> pools = version == Version.HTTP2 ? http2 : http1;
        Pool known = pools.get(endpoint);
        if (known == null) {
            known = new Pool(loop, dialling, factory, cluster, endpoint, version);
            pools.put(endpoint, known);
        }
        return known;
    }

    /** Closes what is not needed any more: connections that are idle for long, or whose endpoint is gone. */
    public void sweep(long now) {
        sweep(http1, now);
        sweep(http2, now);
    }

    private static void sweep(IdentityHashMap<LiveEndpoint, Pool> pools, long now) {
        pools.values().removeIf(pool -> {
            pool.closeIdle(now, IDLE_NANOS);
            return pool.endpoint().isRetired() && pool.isUnused();
        });
    }
}
