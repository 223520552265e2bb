package io.parley.proxy.tcp;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Looks names up, each once at a time, on threads that may wait for that. Addresses of a host that have failed come after the others; when all
 * have, none counts as failed any more.
 */
final class Names {
    /** Tells all addresses of a host, the best first; may block. */
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** Those of the system, which remembers answers for half a minute. */
    static final Names SYSTEM = new Names(InetAddress::getAllByName);

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("names-", 0).factory());

    private final Resolver resolver;
    private final Map<String, CompletableFuture<List<InetAddress>>> underWay = new ConcurrentHashMap<>();

    /** Who could not be connected to, by host. Hosts come from configuration, so there are not many. */
    private final Map<String, Set<InetAddress>> failed = new ConcurrentHashMap<>();

    Names(Resolver resolver) {
        this.resolver = resolver;
    }

    /** All addresses of a host, in the order in which they are to be tried; at least one. */
    CompletableFuture<List<InetAddress>> find(String host) {
        return underWay.computeIfAbsent(host, this::begin);
    }

    private CompletableFuture<List<InetAddress>> begin(String host) {
        CompletableFuture<List<InetAddress>> fresh = new CompletableFuture<>();
        THREADS.execute(() -> {
            Runnable answer = answer(host, fresh);
            // First, as whoever is told may ask again.
            underWay.remove(host);
            answer.run();
        });
        return fresh;
    }

    private Runnable answer(String host, CompletableFuture<List<InetAddress>> told) {
        try {
            List<InetAddress> found = inOrder(host, List.of(resolver.addresses(host)));
            return () -> told.complete(found);
        } catch (UnknownHostException e) {
            return () -> told.completeExceptionally(new UncheckedIOException("no address of " + host, e));
        } catch (RuntimeException e) {
            // Whoever waits must hear of it, whatever it is.
            return () -> told.completeExceptionally(e);
        }
    }

    /** Nobody could be connected to there. */
    void failed(String host, InetAddress address) {
        failed.computeIfAbsent(host, _ -> ConcurrentHashMap.newKeySet()).add(address);
    }

    private List<InetAddress> inOrder(String host, List<InetAddress> all) {
        Set<InetAddress> bad = failed.getOrDefault(host, Set.of());
        if (bad.containsAll(all)) {
            failed.remove(host);
            return all;
        }
        List<InetAddress> ordered = new ArrayList<>(all);
        ordered.removeIf(bad::contains);
        all.stream().filter(bad::contains).forEach(ordered::add);
        return ordered;
    }
}
