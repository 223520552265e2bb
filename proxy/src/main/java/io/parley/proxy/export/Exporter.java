package io.parley.proxy.export;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.pool.Inquiry;
import io.parley.proxy.telemetry.Outflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one collector what is gathered, in batches, one at a time, from one event loop and over its pools. What the collector does not
 * take is tried again a few times; what there is no room for is dropped. Both are counted.
 */
final class Exporter<T> implements HttpLoop.Swept {
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Exporter.class);
    private static final int CAPACITY = 4_096;
    private static final int BATCH = 512;
    private static final int MOST_TRIES = 4;
    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final HttpLoop loop;
    private final String clusterName;
    private final Language<T> language;
    private final Outflow outflow;
    private final ArrayBlockingQueue<T> waiting = new ArrayBlockingQueue<>(CAPACITY);
    private final List<T> batch = new ArrayList<>();
    private final List<CompletableFuture<@Nullable Void>> farewells = new ArrayList<>();
    private @Nullable Runnable callOff;
    private boolean asking;
    private boolean hurried;
    private boolean leaving;
    private int tries;
    private long notBefore;
    private long askedAt;

    Exporter(HttpLoop loop, String clusterName, Language<T> language, Outflow outflow) {
        this.loop = loop;
        this.clusterName = clusterName;
        this.language = language;
        this.outflow = outflow;
        this.notBefore = loop.now() + INTERVAL_NANOS;
    }

    /** Takes something, if there is room for it. May be called from anywhere, and never blocks. */
    void offer(T item) {
        if (!waiting.offer(item)) {
            outflow.dropped("queue-full").increment();
        }
    }

    @Override
    public void sweep(long now) {
        if (asking) {
            if (now - askedAt > TIMEOUT.toNanos()) {
                asking = false;
                if (callOff != null) {
                    callOff.run();
                }
                failed("no answer in " + TIMEOUT.toSeconds() + " s");
            }
            return;
        }
        boolean due = now - notBefore >= 0 || hurried;
        if (batch.isEmpty() && (due || waiting.size() >= BATCH)) {
            waiting.drainTo(batch, BATCH);
        }
        if (!batch.isEmpty() && (due || tries == 0)) {
            ask(now);
        } else if (batch.isEmpty()) {
            farewells.forEach(farewell -> farewell.complete(null));
            farewells.clear();
            if (leaving) {
                loop.remove(this);
            }
        }
    }

    private void ask(long now) {
        Cluster cluster = loop.clusters().find(clusterName).orElse(null);
        LiveEndpoint endpoint = cluster == null ? null : cluster.choose(List.of());
        if (cluster == null || endpoint == null) {
            failed("no endpoint of cluster " + clusterName);
            return;
        }
        asking = true;
        askedAt = now;
        callOff = null;
        ByteBuf content = language.content(batch);
        Runnable call = Inquiry.of(
                loop.pools().of(cluster, endpoint, language.version()),
                language.head(content.readableBytes()),
                content,
                this::answered);
        callOff = asking ? call : null;
    }

    private void answered(Inquiry answer) {
        if (!asking) {
            return;
        }
        asking = false;
        if (language.isTaken(answer)) {
            outflow.sent().add(batch.size());
            next();
        } else {
            failed("answered " + answer.status() + ", grpc-status " + answer.grpcStatus());
        }
    }

    private void next() {
        batch.clear();
        tries = 0;
        notBefore = loop.now() + INTERVAL_NANOS;
    }

    /** After each failure the next try is twice as far away. */
    private void failed(String because) {
        tries++;
        if (tries == MOST_TRIES || hurried) {
            LOG.warn("collector {}: {} entries or spans are lost: {}", clusterName, batch.size(), because);
            outflow.dropped("not-taken").add(batch.size());
            next();
        } else {
            notBefore = loop.now() + (INTERVAL_NANOS << (tries - 1));
        }
    }

    /** The proxy ends: what there is goes now. */
    @Override
    public void drain() {
        hurried = true;
    }

    /** Nothing more will be offered. */
    void leave() {
        leaving = true;
    }

    /** What has been offered goes now; tells when it is gone. May be called from anywhere. */
    CompletableFuture<@Nullable Void> hurry() {
        CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();
        loop.loop().execute(() -> {
            hurried = true;
            farewells.add(gone);
        });
        return gone;
    }
}
