package io.parley.proxy.balance;

import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.route.SmoothWeights;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The endpoints of one cluster as they are now, what is under way to them, and how much may be. */
public final class Cluster {
    private final LongSupplier ticker;
    private final Supplier<? extends RandomGenerator> chance;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder queued = new LongAdder();
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong removed = new AtomicLong();
    private volatile ClusterConfig config;
    private volatile Members members;

    public Cluster(ClusterConfig config, LongSupplier ticker, Supplier<? extends RandomGenerator> chance) {
        this.ticker = ticker;
        this.chance = chance;
        this.config = config;
        this.members = new Members(List.of(), null, ticker, chance);
        update(config);
    }

    public String name() {
        return config.name();
    }

    public List<LiveEndpoint> endpoints() {
        return members.endpoints();
    }

    /** Why nothing can be sent to it; null if it can. */
    public ClusterConfig.@Nullable Unusable unusable() {
        return config.unusable();
    }

    /** The endpoint that this token stands for, if it can be used; else null. */
    public @Nullable LiveEndpoint byToken(String token) {
        return members.byToken(token);
    }

    public int open() {
        return open.get();
    }

    /** How long an endpoint may take to accept; null if the proxy's own time holds. */
    public @Nullable Duration connect() {
        return config.connect();
    }

    /** How HTTP is spoken with it. */
    public HttpUpstream http() {
        return config.http();
    }

    /** Takes over a changed configuration. An endpoint that stays keeps what was experienced with it. */
    public void update(ClusterConfig changed) {
        Map<Endpoint, LiveEndpoint> known = new HashMap<>();
        endpoints().forEach(live -> known.put(live.endpoint(), live));
        long now = ticker.getAsLong();
        boolean sameTurns = changed.balancing().equals(config.balancing())
                && changed.endpoints().equals(config.endpoints());
        SmoothWeights turns = sameTurns && members.turns() != null ? members.turns() : turns(changed.balancing());
        if (!changed.breaker().equals(config.breaker())
                || !Objects.equals(changed.http().outliers(), config.http().outliers())) {
            // By another rule they may not have been left out at all.
            known.values().forEach(LiveEndpoint::readmit);
        }
        config = changed;
        added.addAndGet(changed.endpoints().stream()
                .filter(endpoint -> !known.containsKey(endpoint))
                .count());
        members = new Members(
                changed.endpoints().stream()
                        .map(endpoint -> known.getOrDefault(endpoint, new LiveEndpoint(endpoint, now)))
                        .toList(),
                turns,
                ticker,
                chance);
        changed.endpoints().forEach(known::remove);
        removed.addAndGet(known.size());
        known.values().forEach(LiveEndpoint::retire);
    }

    private static @Nullable SmoothWeights turns(Balancing balancing) {
        return switch (balancing) {
            case Balancing.LeastLoaded() -> null;
            case Balancing.InTurn(var weights) -> new SmoothWeights(weights);
        };
    }

    /** Nothing more is sent to it. */
    void retire() {
        endpoints().forEach(LiveEndpoint::retire);
    }

    /**
     * Chooses an endpoint for a request; connections to it are the caller's business.
     *
     * @param tried endpoints that failed for this request already
     * @return null if there is none
     */
    public @Nullable LiveEndpoint choose(Collection<LiveEndpoint> tried) {
        return members.choose(tried, LiveEndpoint::requestLoad);
    }

    /** Chooses the endpoint that a key belongs to; null if there is none. */
    public @Nullable LiveEndpoint choose(Collection<LiveEndpoint> tried, String key) {
        return members.choose(tried, key);
    }

    /** Counts a request in; false if there are too many. */
    public boolean enter(LiveEndpoint endpoint) {
        if (requests.incrementAndGet() > config.http().maxRequests()) {
            requests.decrementAndGet();
            return false;
        }
        endpoint.requestStarted();
        return true;
    }

    /** Counts a request out. */
    public void leave(LiveEndpoint endpoint) {
        requests.decrementAndGet();
        endpoint.requestEnded();
    }

    /** An endpoint took so long to answer, or did not. */
    public void answered(LiveEndpoint endpoint, long nanos) {
        if (endpoints().size() > 1) {
            endpoint.took(nanos, ticker.getAsLong());
        }
    }

    /**
     * Leaves an endpoint out for a while if it has answered badly too often.
     *
     * @param status 0 if there was no answer
     */
    public void judge(LiveEndpoint endpoint, int status) {
        HttpUpstream.Outliers outliers = config.http().outliers();
        if (outliers != null
                && endpoint.answered(status, outliers)
                && members.mayEjectOneMore(config.breaker().maxEjectedPercent())) {
            endpoint.eject(config.breaker(), ticker.getAsLong());
        }
    }

    /** Lets one more request wait for a connection; false if there are too many. */
    public boolean mayWait() {
        if (waiting.incrementAndGet() > config.breaker().maxPending()) {
            waiting.decrementAndGet();
            return false;
        }
        queued.increment();
        return true;
    }

    /** Requests that have waited for a connection, or do. */
    public long queued() {
        return queued.sum();
    }

    /** Endpoints that have come, from the first on. */
    public long added() {
        return added.get();
    }

    /** Endpoints that have gone. */
    public long removed() {
        return removed.get();
    }

    /** A request waits no more. */
    public void waited() {
        waiting.decrementAndGet();
    }

    /** Connections that are being opened. */
    public int pending() {
        return pending.get();
    }

    /** How many of its endpoints are chosen from: those that are well, and not left out for a while. */
    public int usable() {
        return members.usable();
    }

    /** Whether there is another endpoint than this one that can be chosen. */
    public boolean hasOtherThan(LiveEndpoint endpoint) {
        return members.hasOtherThan(endpoint);
    }

    /** Requests that wait for a connection. */
    public int waiting() {
        return waiting.get();
    }

    /** Requests under way. */
    public int requests() {
        return requests.get();
    }

    /**
     * Counts a connection to this endpoint as being opened, until {@link Attempt} says otherwise; null if there are too many.
     *
     * @param only whether it would be the only one of its pool: those who wait there would wait for ever without it
     */
    public @Nullable Attempt open(LiveEndpoint endpoint, boolean only) {
        return only || open.get() < config.breaker().maxConnections() ? attempt(endpoint) : null;
    }

    /** Whether more connections are open than may be: there may have been more of them once. */
    public boolean hasTooManyOpen() {
        return open.get() > config.breaker().maxConnections();
    }

    private Attempt attempt(LiveEndpoint endpoint) {
        open.incrementAndGet();
        pending.incrementAndGet();
        endpoint.opening();
        return new Attempt(this, endpoint, ticker.getAsLong());
    }

    /**
     * Chooses an endpoint for a new connection and counts it as being opened, until {@link Attempt} says otherwise.
     *
     * @param tried endpoints that failed for this connection already
     */
    public Pick pick(Collection<LiveEndpoint> tried) {
        Pick.Refused full = full();
        if (full != null) {
            return full;
        }
        LiveEndpoint chosen = members.choose(tried, LiveEndpoint::load);
        return chosen == null
                ? new Pick.Refused("cluster " + name() + " has no endpoint"
                        + (tried.isEmpty() ? "" : " left after " + tried.size() + " failed"))
                : new Pick.Chosen(attempt(chosen));
    }

    private Pick.@Nullable Refused full() {
        ClusterConfig.Breaker breaker = config.breaker();
        if (open.get() >= breaker.maxConnections()) {
            return new Pick.Refused("cluster " + name() + " has its " + breaker.maxConnections() + " connections open");
        }
        if (pending.get() >= breaker.maxPending()) {
            return new Pick.Refused("cluster " + name() + " has " + breaker.maxPending() + " connections being opened");
        }
        return null;
    }

    void connected(LiveEndpoint endpoint, long since) {
        pending.decrementAndGet();
        long now = ticker.getAsLong();
        endpoint.succeeded(now - since, now);
    }

    void failed(LiveEndpoint endpoint) {
        pending.decrementAndGet();
        closed(endpoint);
        ClusterConfig.Breaker breaker = config.breaker();
        if (endpoint.failed(breaker) && members.mayEjectOneMore(breaker.maxEjectedPercent())) {
            endpoint.eject(breaker, ticker.getAsLong());
        }
    }

    void abandoned(LiveEndpoint endpoint) {
        pending.decrementAndGet();
        closed(endpoint);
    }

    void closed(LiveEndpoint endpoint) {
        open.decrementAndGet();
        endpoint.closed();
    }
}
