package io.parley.proxy.tcp;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Looks names up, each once at a time, on threads that may wait for that. The system remembers answers for half a minute. Of several addresses
 * the system's first is taken that has not failed; when all have, none counts as failed any more.
 */
final class Names {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("names-", 0).factory());
    private static final Map<String, CompletableFuture<InetAddress>> UNDER_WAY = new ConcurrentHashMap<>();

    /** Who could not be connected to, by host. Hosts come from configuration, so there are not many. */
    private static final Map<String, Set<InetAddress>> FAILED = new ConcurrentHashMap<>();

    private Names() {}

    /** The address of a host to try next. */
    static CompletableFuture<InetAddress> find(String host) {
        CompletableFuture<InetAddress> fresh = new CompletableFuture<>();
        CompletableFuture<InetAddress> known = UNDER_WAY.putIfAbsent(host, fresh);
        if (known != null) {
            return known;
        }
        THREADS.execute(() -> {
            try {
                fresh.complete(next(host, List.of(InetAddress.getAllByName(host))));
            } catch (UnknownHostException e) {
                fresh.completeExceptionally(new UncheckedIOException("no address of " + host, e));
            } finally {
                UNDER_WAY.remove(host);
            }
        });
        return fresh;
    }

    /** Nobody could be connected to there: the next try goes to another address, if there is one. */
    static void failed(String host, InetAddress address) {
        FAILED.computeIfAbsent(host, _ -> ConcurrentHashMap.newKeySet()).add(address);
    }

    static InetAddress next(String host, List<InetAddress> all) {
        Set<InetAddress> failed = FAILED.getOrDefault(host, Set.of());
        for (InetAddress address : all) {
            if (!failed.contains(address)) {
                return address;
            }
        }
        FAILED.remove(host);
        return all.getFirst();
    }
}
