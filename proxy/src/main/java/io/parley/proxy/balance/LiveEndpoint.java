package io.parley.proxy.balance;

import io.parley.proxy.AddressText;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An endpoint and what the proxy has experienced with it. Safe to use from any event loop. */
public final class LiveEndpoint {
    /** A run of ejections makes each one longer than the last, up to this factor. */
    private static final int MAX_EJECTION_FACTOR = 10;

    private static final int TOKEN_BYTES = 8;

    private final Endpoint endpoint;
    private final PeakEwma connectTime;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private volatile int ejections;
    private volatile long ejectedUntil;
    private volatile boolean ejected;
    private final PeakEwma answerTime;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger serverErrors = new AtomicInteger();
    private final AtomicInteger gatewayErrors = new AtomicInteger();
    private volatile boolean healthy = true;
    private volatile boolean retired;
    private volatile boolean second;
    private volatile @Nullable String token;

    LiveEndpoint(Endpoint endpoint, long now) {
        this.endpoint = endpoint;
        this.connectTime = new PeakEwma(now);
        this.answerTime = new PeakEwma(now);
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** What stands for it towards clients, who need not know its address. */
    public String token() {
        String known = token;
        if (known == null) {
            known = digest(toString());
            token = known;
        }
        return known;
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, TOKEN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
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

    /** Requests that are under way. */
    public int requests() {
        return requests.get();
    }

    /** What health checks say; true without any. */
    public boolean isHealthy() {
        return healthy;
    }

    public void healthy(boolean now) {
        healthy = now;
    }

    /** Whether its cluster no longer has it. */
    public boolean isRetired() {
        return retired;
    }

    /** The version of HTTP that it is to be spoken to in: the first choice, unless it was found not to speak that. */
    public Version version(HttpUpstream http, Version first) {
        Version otherwise = http.otherwise();
        return second && otherwise != null ? otherwise : first;
    }

    /** It did not speak this version, as all requests on a connection find out together. Tells whether there is another to try. */
    public boolean disappoint(HttpUpstream http, Version spoken) {
        second = http.otherwise() != null && spoken != http.otherwise();
        return second;
    }

    void retire() {
        retired = true;
    }

    /** Cost of one more request: answer time, times the requests there would be. */
    double requestLoad(long now) {
        return answerTime.value(now) * (requests.get() + 1);
    }

    void requestStarted() {
        requests.incrementAndGet();
    }

    void requestEnded() {
        requests.decrementAndGet();
    }

    void took(long nanos, long now) {
        answerTime.observe(nanos, now);
    }

    /** Notes an answer, 0 for none, and tells whether there were too many bad ones in a row. */
    boolean answered(int status, HttpUpstream.Outliers limits) {
        boolean gateway = status == 0 || (status >= 502 && status <= 504);
        boolean server = gateway || status >= 500;
        boolean tooManyGateway = isTooMany(gatewayErrors, gateway, limits.gatewayErrors());
        boolean tooManyServer = isTooMany(serverErrors, server, limits.serverErrors());
        return tooManyGateway || tooManyServer;
    }

    private static boolean isTooMany(AtomicInteger inARow, boolean bad, int limit) {
        if (!bad) {
            if (inARow.get() != 0) {
                inARow.set(0);
            }
            return false;
        }
        return limit > 0 && inARow.incrementAndGet() >= limit;
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
    }

    /** Notes a failed connect and tells whether the endpoint has failed too often in a row. */
    boolean failed(Breaker breaker) {
        return failuresInARow.incrementAndGet() >= breaker.failures();
    }

    synchronized void eject(Breaker breaker, long now) {
        ejections = Math.min(ejections + 1, MAX_EJECTION_FACTOR);
        ejectedUntil = now + breaker.ejection().toNanos() * ejections;
        failuresInARow.set(0);
        serverErrors.set(0);
        gatewayErrors.set(0);
        ejected = true;
    }

    synchronized void readmit() {
        ejected = false;
        ejections = 0;
    }

    @Override
    public String toString() {
        return AddressText.of(endpoint.dialled());
    }
}
