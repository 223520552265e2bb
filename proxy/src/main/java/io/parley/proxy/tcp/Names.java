package io.parley.proxy.tcp;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Looks names up, each once at a time, on threads that may wait for that. The system remembers answers for half a minute. */
final class Names {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("names-", 0).factory());
    private static final Map<String, CompletableFuture<InetAddress>> UNDER_WAY = new ConcurrentHashMap<>();

    private Names() {}

    /** The address of a host that the system would try first. */
    static CompletableFuture<InetAddress> find(String host) {
        CompletableFuture<InetAddress> fresh = new CompletableFuture<>();
        CompletableFuture<InetAddress> known = UNDER_WAY.putIfAbsent(host, fresh);
        if (known != null) {
            return known;
        }
        THREADS.execute(() -> {
            try {
                fresh.complete(InetAddress.getAllByName(host)[0]);
            } catch (UnknownHostException e) {
                fresh.completeExceptionally(new UncheckedIOException("no address of " + host, e));
            } finally {
                UNDER_WAY.remove(host);
            }
        });
        return fresh;
    }
}
