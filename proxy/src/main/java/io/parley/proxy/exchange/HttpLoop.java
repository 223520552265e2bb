package io.parley.proxy.exchange;

import io.netty.channel.EventLoop;
import io.parley.proxy.Surroundings;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.pool.Pools;
import io.parley.proxy.telemetry.HttpTelemetry;
import io.parley.proxy.telemetry.Phases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the HTTP connections of one event loop share. Deadlines are looked after by one look at everything ten times a second, which
 * is far cheaper than a timer for each request and exact enough for all of them. Where there is nothing to look at but memory and idle
 * connections, once a second does.
 */
public final class HttpLoop {
    /** Something with deadlines. */
    public interface Swept {
        /** Does what is due. */
        void sweep(long now);

        /** Ends as soon as that harms nobody. */
        void drain();

        /** Ends now: it has failed in a way that nobody expected. */
        default void broke() {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(HttpLoop.class);
    private static final int MILLION = 1_000_000;
    private static final long SWEEP_MILLIS = 100;
    private static final long REST_MILLIS = 1_000;
    private static final int POOL_SWEEPS = 10;

    /** For how long a connection to a server is kept that nobody uses. */
    private static final Duration IDLE = Duration.ofSeconds(60);

    private final EventLoop loop;

    /** Not by the loop's own timer: then it would ask for the time twice in each of its turns, and have the kernel set an alarm while it waits. */
    private final Executor nextSweep;

    private final Executor sweepAfterRest;

    private final Surroundings surroundings;
    private final Clusters clusters;
    private final HttpTelemetry telemetry;
    private final Set<Swept> swept = new LinkedHashSet<>();
    private final Pools pools;
    private final Account.Keeper accounts;
    private final Overload overload;
    private final Phases phases = new Phases();
    private boolean draining;
    private boolean resting;

    /** Counts what was scheduled, of which only the last is done. */
    private int round;

    private int sweeps;
    private long sweptAt;
    private int inFlight;
    private int reported;

    public HttpLoop(
            EventLoop loop,
            Surroundings surroundings,
            Clusters clusters,
            HttpTelemetry telemetry,
            Pools pools,
            Account.Keeper accounts,
            Overload overload) {
        this.loop = loop;
        this.nextSweep = CompletableFuture.delayedExecutor(SWEEP_MILLIS, TimeUnit.MILLISECONDS, loop);
        this.sweepAfterRest = CompletableFuture.delayedExecutor(REST_MILLIS, TimeUnit.MILLISECONDS, loop);
        this.surroundings = surroundings;
        this.clusters = clusters;
        this.telemetry = telemetry;
        this.pools = pools;
        this.accounts = accounts;
        this.overload = overload;
    }

    public EventLoop loop() {
        return loop;
    }

    public long now() {
        return surroundings.ticker().getAsLong();
    }

    /** By the clock, in milliseconds; for what is shared with others and outlives this process. */
    long time() {
        return surroundings.clock().millis();
    }

    public RandomGenerator chance() {
        return surroundings.chance().get();
    }

    /** Draws from 0 to 999,999, for what is said in millionths. */
    int lot() {
        return chance().nextInt(MILLION);
    }

    Surroundings surroundings() {
        return surroundings;
    }

    public Clusters clusters() {
        return clusters;
    }

    public HttpTelemetry telemetry() {
        return telemetry;
    }

    /** Notes something that the client of a connection should not have done. */
    public void abuse(Connection by, String kind) {
        telemetry.abuse(by.direction(), by.target(), kind, by.client(), now());
    }

    public Pools pools() {
        return pools;
    }

    Account.Keeper accounts() {
        return accounts;
    }

    /** Where the time of requests goes. */
    public Phases phases() {
        return phases;
    }

    /** A request has begun. */
    void began() {
        inFlight++;
    }

    /** A request is over; it took so long. */
    void ended(long nanos) {
        inFlight--;
        phases.whole().took(nanos);
    }

    /** Whether no more requests can be taken. */
    boolean isOverloaded() {
        return overload.level() == Overload.Level.REFUSE || inFlight > Overload.MOST_IN_FLIGHT;
    }

    /** Whether requests may be kept on purpose: those that wait take the room of others, of which half shall be left. */
    boolean hasRoomToWait() {
        return overload.level() == Overload.Level.FINE
                && Math.max(inFlight, overload.inFlight()) <= Overload.MOST_IN_FLIGHT / 2;
    }

    void later(Duration time, Runnable task) {
        loop.schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    public boolean isDraining() {
        return draining;
    }

    /** Begins to look after everything. */
    public void start() {
        scheduleSweep();
    }

    /** Looks after something until it is removed. */
    public void add(Swept one) {
        swept.add(one);
        if (draining) {
            one.drain();
        }
        if (resting) {
            scheduleSweep();
        }
    }

    public void remove(Swept one) {
        swept.remove(one);
    }

    /** Tells every connection to come to an end. */
    public void drain() {
        draining = true;
        List.copyOf(swept).forEach(Swept::drain);
    }

    private void scheduleSweep() {
        resting = swept.isEmpty() && inFlight == 0 && reported == 0 && overload.level() == Overload.Level.FINE;
        int mine = ++round;
        sweptAt = now();
        (resting ? sweepAfterRest : nextSweep).execute(() -> sweep(mine));
    }

    private void sweep(int mine) {
        if (mine != round) {
            // Somebody came while it rested.
            return;
        }
        try {
            sweepAll(now());
        } finally {
            // Whatever goes wrong must not keep everybody from their deadlines for good.
            scheduleSweep();
        }
    }

    private void sweepAll(long now) {
        phases.lag().took(now - sweptAt - TimeUnit.MILLISECONDS.toNanos(resting ? REST_MILLIS : SWEEP_MILLIS));
        overload.moved(inFlight - reported);
        reported = inFlight;
        overload.look(now);
        new ArrayList<>(swept).forEach(one -> sweep(one, now));
        if (++sweeps % POOL_SWEEPS == 0 || resting) {
            pools.sweep(now, overload.level() == Overload.Level.FINE ? IDLE : Duration.ZERO);
        }
    }

    /** One that fails must not keep those behind it from their deadlines, and would fail again. */
    private void sweep(Swept one, long now) {
        try {
            one.sweep(now);
        } catch (RuntimeException e) {
            LOG.warn("a connection failed in a way that nobody expected, and is closed", e);
            one.broke();
        }
    }
}
