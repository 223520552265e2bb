package io.parley.proxy.balance;

import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.Endpoint;
import java.util.concurrent.atomic.AtomicInteger;

/** An endpoint and what the proxy has experienced with it. Safe to use from any event loop. */
public final class LiveEndpoint {
    /** A run of ejections makes each one longer than the last, up to this factor. */
    private static final int MAX_EJECTION_FACTOR = 10;

    private final Endpoint endpoint;
    private final PeakEwma connectTime;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private volatile int ejections;
    private volatile long ejectedUntil;
    private volatile boolean ejected;

    LiveEndpoint(Endpoint endpoint, long now) {
        this.endpoint = endpoint;
        this.connectTime = new PeakEwma(now);
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Connections that are open or being opened. */
    public int open() {
        return open.get();
    }

    public boolean isEjected(long now) {
        return ejected && now - ejectedUntil < 0;
    }

    /** Cost of one more connection: connect time, times the connections there would be. */
    double load(long now) {
        return connectTime.value(now) * (open.get() + 1);
    }

    void opening() {
        open.incrementAndGet();
    }

    void closed() {
        open.decrementAndGet();
    }

    void succeeded(long connectNanos, long now) {
        connectTime.observe(connectNanos, now);
        failuresInARow.set(0);
        ejections = 0;
        ejected = false;
    }

    /** Notes a failed connect and tells whether the endpoint has failed too often in a row. */
    boolean failed(Breaker breaker) {
        return failuresInARow.incrementAndGet() >= breaker.failures();
    }

    synchronized void eject(Breaker breaker, long now) {
        ejections = Math.min(ejections + 1, MAX_EJECTION_FACTOR);
        ejectedUntil = now + breaker.ejection().toNanos() * ejections;
        failuresInARow.set(0);
        ejected = true;
    }

    @Override
    public String toString() {
        return endpoint.dialled().getAddress().getHostAddress() + ":"
                + endpoint.dialled().getPort();
    }
}
