package io.parley.proxy.balance;

import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The endpoints of one cluster as they are now. A connection goes to the less loaded of two that are drawn by lot, which keeps the
 * load even without looking at all of them, and keeps many proxies from rushing to the same idle one.
 */
public final class Cluster {
    private final LongSupplier ticker;
    private final Supplier<? extends RandomGenerator> chance;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile ClusterConfig config;
    private volatile List<LiveEndpoint> endpoints = List.of();

    public Cluster(ClusterConfig config, LongSupplier ticker, Supplier<? extends RandomGenerator> chance) {
        this.ticker = ticker;
        this.chance = chance;
        this.config = config;
        update(config);
    }

    public String name() {
        return config.name();
    }

    public List<LiveEndpoint> endpoints() {
        return endpoints;
    }

    public int open() {
        return open.get();
    }

    /** Takes over a changed configuration. An endpoint that stays keeps what was experienced with it. */
    public void update(ClusterConfig changed) {
        Map<Endpoint, LiveEndpoint> known = new HashMap<>();
        endpoints.forEach(live -> known.put(live.endpoint(), live));
        long now = ticker.getAsLong();
        config = changed;
        endpoints = changed.endpoints().stream()
                .map(endpoint -> known.getOrDefault(endpoint, new LiveEndpoint(endpoint, now)))
                .toList();
    }

    /**
     * Chooses an endpoint for a new connection and counts it as being opened, until {@link Attempt} says otherwise.
     *
     * @param tried endpoints that failed for this connection already
     */
    public Pick pick(Collection<LiveEndpoint> tried) {
        ClusterConfig.Breaker breaker = config.breaker();
        if (open.get() >= breaker.maxConnections()) {
            return new Pick.Refused("cluster " + name() + " has its " + breaker.maxConnections() + " connections open");
        }
        if (pending.get() >= breaker.maxPending()) {
            return new Pick.Refused("cluster " + name() + " has " + breaker.maxPending() + " connections being opened");
        }
        List<LiveEndpoint> candidates = candidates(tried);
        if (candidates.isEmpty()) {
            return new Pick.Refused("cluster " + name() + " has no endpoint"
                    + (tried.isEmpty() ? "" : " left after " + tried.size() + " failed"));
        }
        LiveEndpoint chosen = lessLoaded(candidates);
        open.incrementAndGet();
        pending.incrementAndGet();
        chosen.opening();
        return new Pick.Chosen(new Attempt(this, chosen, ticker.getAsLong()));
    }

    /** Ejected endpoints are left out as long as others remain: a dark cluster is better tried than given up. */
    private List<LiveEndpoint> candidates(Collection<LiveEndpoint> tried) {
        long now = ticker.getAsLong();
        List<LiveEndpoint> healthy = new ArrayList<>();
        List<LiveEndpoint> untried = new ArrayList<>();
        for (LiveEndpoint endpoint : endpoints) {
            if (!tried.contains(endpoint)) {
                untried.add(endpoint);
                if (!endpoint.isEjected(now)) {
                    healthy.add(endpoint);
                }
            }
        }
        return healthy.isEmpty() ? untried : healthy;
    }

    private LiveEndpoint lessLoaded(List<LiveEndpoint> candidates) {
        if (candidates.size() == 1) {
            return candidates.getFirst();
        }
        RandomGenerator random = chance.get();
        int first = random.nextInt(candidates.size());
        int second = random.nextInt(candidates.size() - 1);
        LiveEndpoint one = candidates.get(first);
        LiveEndpoint other = candidates.get(second < first ? second : second + 1);
        long now = ticker.getAsLong();
        return one.load(now) <= other.load(now) ? one : other;
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
        if (endpoint.failed(breaker) && mayEjectOneMore(breaker)) {
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

    private boolean mayEjectOneMore(ClusterConfig.Breaker breaker) {
        List<LiveEndpoint> all = endpoints;
        long now = ticker.getAsLong();
        long ejected = all.stream().filter(endpoint -> endpoint.isEjected(now)).count();
        return (ejected + 1) * 100 <= (long) all.size() * breaker.maxEjectedPercent();
    }
}
