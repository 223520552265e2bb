package io.parley.proxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.parley.proxy.Failures;
import io.parley.proxy.balance.Attempt;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.wire.header.SessionProtocol;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one endpoint in one version of HTTP. The one that was used last is used next, so that those
 * that are not needed grow old and can be closed.
 */
public final class Pool {
    /** Makes a connection out of a channel that is open. */
    public interface Factory {
        Upstream create(Pool pool, Channel channel, Version version);
    }

    private static final String HTTP2 = "h2";
    private static final long REDIAL_MILLIS = 50;

    private final EventLoop loop;
    private final Dialling dialling;
    private final Factory factory;
    private final Cluster cluster;
    private final LiveEndpoint endpoint;
    private final Version version;
    private final ArrayDeque<Upstream> free = new ArrayDeque<>();
    private final Line waiting;
    private final List<Upstream> all = new ArrayList<>();
    private boolean shared;
    private boolean filling;
    private boolean pausing;
    private int opening;
    private int streams = Integer.MAX_VALUE;

    Pool(
            EventLoop loop,
            Dialling dialling,
            Factory factory,
            Cluster cluster,
            LiveEndpoint endpoint,
            Version version,
            WaitingTimes times) {
        this.loop = loop;
        this.dialling = dialling;
        this.factory = factory;
        this.cluster = cluster;
        this.endpoint = endpoint;
        this.version = version;
        this.waiting = new Line(cluster, times);
        this.shared = version != Version.HTTP1;
    }

    public LiveEndpoint endpoint() {
        return endpoint;
    }

    public Version version() {
        return version;
    }

    /**
     * How many requests at a time the server takes, by what it said on its last connection. On the first one it gets what there is: if all waited for its word, a
     * server that never says it would hold them up.
     */
    public int streams() {
        return streams;
    }

    /** The server takes so many requests at a time. One that takes none for a while gets one on its next connection. */
    public void streams(int most) {
        streams = Math.max(most, 1);
    }

    /** A connection with room for a request; null if there is none at the moment. */
    public @Nullable Upstream take() {
        if (!isPermitted()) {
            return null;
        }
        Upstream upstream = free.peekFirst();
        while (upstream != null && !(upstream.isOpen() && upstream.hasRoom())) {
            free.pollFirst();
            upstream = free.peekFirst();
        }
        if (upstream != null && !upstream.isShared()) {
            free.pollFirst();
        }
        return upstream;
    }

    private boolean isPermitted() {
        return dialling.permits(endpoint.endpoint());
    }

    /** Tells the waiter of a connection as soon as there is one. */
    public void await(Waiter waiter) {
        if (waiting.add(waiter)) {
            openEnough();
        } else {
            waiter.turnedAway("as many requests as may wait for a connection to cluster " + cluster.name() + " do: "
                    + cluster.waiting());
        }
    }

    /**
     * Over HTTP/2 all who wait can share one connection, and what will be agreed on may be HTTP/2. If the cluster may have no more
     * connections, those who wait get what the others leave. A dial that fails at once leads back here, and leaves the rest to the
     * first call.
     */
    private void openEnough() {
        if (filling) {
            return;
        }
        filling = true;
        try {
            boolean more = true;
            while (more && !pausing && (shared ? opening == 0 && !waiting.isEmpty() : opening < waiting.length())) {
                more = open();
            }
        } finally {
            filling = false;
        }
    }

    /** The waiter wants no connection any more. */
    public void forget(Waiter waiter) {
        waiting.remove(waiter);
    }

    private boolean open() {
        Attempt attempt = cluster.open(endpoint, all.isEmpty() && opening == 0);
        if (attempt != null) {
            dial(attempt);
        }
        return attempt != null;
    }

    private void dial(Attempt attempt) {
        opening++;
        SessionProtocol protocol = version == Version.HTTP1 ? SessionProtocol.HTTP1 : SessionProtocol.HTTP2;
        dialling.dial(loop, endpoint.endpoint(), cluster.connect(), protocol, new Dialling.Outcome() {
            @Override
            public void connected(Channel channel) {
                opening--;
                attempt.connected();
                channel.closeFuture().addListener(_ -> attempt.closed());
                Pool.this.connected(channel);
            }

            @Override
            public void failed(Throwable cause) {
                opening--;
                boolean guilty = attempt.failed(cause);
                String because = endpoint + ": " + Failures.text(cause);
                if (isWorthWaiting()) {
                    openLater();
                } else {
                    turnAway(guilty ? waiter -> waiter.unavailable(because) : waiter -> waiter.hindered(because));
                    openEnough();
                }
            }
        });
    }

    /** Whether those who wait get something without another connection, and get nothing sooner from another endpoint. */
    private boolean isWorthWaiting() {
        return shared
                && isPermitted()
                && !cluster.hasOtherThan(endpoint)
                && all.stream().anyMatch(Upstream::isOpen);
    }

    /** A dial that fails at once must not be followed by the next in the same breath. */
    private void openLater() {
        if (!pausing) {
            pausing = true;
            loop.schedule(
                    () -> {
                        pausing = false;
                        openEnough();
                    },
                    REDIAL_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }

    /** With TLS that is not the mesh's the two sides have agreed by ALPN on what they speak. */
    private void connected(Channel channel) {
        SslHandler tls =
                endpoint.endpoint().tls() == null ? null : channel.pipeline().get(SslHandler.class);
        boolean two = tls != null && HTTP2.equals(tls.applicationProtocol());
        if (version == Version.HTTP2 && tls != null && !two) {
            channel.close();
            turnAllAway(waiter -> waiter.mismatched("TLS without " + HTTP2 + " in ALPN"));
            return;
        }
        Version spoken = version == Version.NEGOTIATED ? (two ? Version.HTTP2 : Version.HTTP1) : version;
        Upstream upstream = factory.create(this, channel, spoken);
        shared = upstream.isShared();
        // One that is reset as it begins has been told to be gone already, and nobody would tell it again.
        if (upstream.isOpen()) {
            all.add(upstream);
            offer(upstream);
        }
        openEnough();
    }

    /** All who would have shared the connection, or the one that it was for: nobody else may ever ask for another. */
    private void turnAway(Consumer<Waiter> word) {
        if (shared) {
            turnAllAway(word);
            return;
        }
        Waiter waiter = waiting.next();
        if (waiter != null) {
            word.accept(waiter);
        }
    }

    private void turnAllAway(Consumer<Waiter> word) {
        waiting.leave().forEach(word);
    }

    /** A connection has room for a request again, or for the first time. */
    public void offer(Upstream upstream) {
        if (!upstream.isOpen()) {
            return;
        }
        if (!isPermitted()) {
            keep(upstream);
            turnAllAway(waiter -> waiter.hindered(endpoint + ": this proxy has no certificate that holds"));
            return;
        }
        if (!upstream.isShared()) {
            if (all.size() > 1 && cluster.hasTooManyOpen()) {
                upstream.close();
                return;
            }
            Waiter waiter = waiting.next();
            if (waiter == null) {
                free.addFirst(upstream);
            } else {
                waiter.ready(upstream);
            }
            return;
        }
        keep(upstream);
        while (upstream.isOpen() && upstream.hasRoom()) {
            Waiter waiter = waiting.next();
            if (waiter == null) {
                return;
            }
            waiter.ready(upstream);
        }
        openEnough();
    }

    private void keep(Upstream upstream) {
        if (!free.contains(upstream)) {
            free.addFirst(upstream);
        }
    }

    /** A connection is no more, or takes no more requests. */
    public void gone(Upstream upstream) {
        free.remove(upstream);
        all.remove(upstream);
        openEnough();
    }

    /** Closes what has not been used for so long, whether or not it has room. */
    void closeIdle(long now, long idleNanos) {
        boolean retired = isRetired();
        for (Upstream upstream : List.copyOf(all)) {
            long since = upstream.idleSince();
            if (since != Long.MIN_VALUE && (retired || now - since > idleNanos)) {
                free.remove(upstream);
                upstream.close();
            }
        }
    }

    /** Whether nothing new comes here: the endpoint is gone, or is spoken to in another version now. */
    private boolean isRetired() {
        return endpoint.isRetired() || !cluster.http().allows(version);
    }

    /**
     * Whether nobody has anything here. Who comes to the endpoint again gets a new one: clusters that are made up for an address are forgotten without anybody
     * being told, and a pool of each would stay for ever.
     */
    boolean isOver() {
        return all.isEmpty() && waiting.isEmpty() && opening == 0;
    }

    public int size() {
        return all.size();
    }
}
