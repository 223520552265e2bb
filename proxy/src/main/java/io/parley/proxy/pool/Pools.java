package io.parley.proxy.pool;

import io.netty.channel.EventLoop;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import java.time.Duration;
import java.util.EnumMap;
import java.util.IdentityHashMap;

/** All pools of one event loop, by endpoint and version of HTTP: no connection is ever used for another. */
public final class Pools {
    private final EventLoop loop;
    private final Dialling dialling;
    private final Pool.Factory factory;
    private final WaitingTimes times;
    private final EnumMap<Version, IdentityHashMap<LiveEndpoint, Pool>> pools = new EnumMap<>(Version.class);

    public Pools(EventLoop loop, Dialling dialling, Pool.Factory factory, WaitingTimes times) {
        this.loop = loop;
        this.dialling = dialling;
        this.factory = factory;
        this.times = times;
    }

    /** The pool for an endpoint of a cluster, for use at once: one that is left empty is forgotten. */
    public Pool of(Cluster cluster, LiveEndpoint endpoint, Version version) {
        IdentityHashMap<LiveEndpoint, Pool> here = pools.computeIfAbsent(version, _ -> new IdentityHashMap<>());
        Pool known = here.get(endpoint);
        if (known == null) {
            known = new Pool(loop, dialling, factory, cluster, endpoint, version, times);
            here.put(endpoint, known);
        }
        return known;
    }

    /** Closes what is not needed any more: connections that are idle for longer than this, or whose endpoint is gone. Forgets pools without any. */
    public void sweep(long now, Duration idle) {
        pools.values()
                .forEach(here -> here.values().removeIf(pool -> {
                    pool.closeIdle(now, idle.toNanos());
                    return pool.isOver();
                }));
    }

    /** How many there are. */
    int size() {
        return pools.values().stream().mapToInt(IdentityHashMap::size).sum();
    }
}
