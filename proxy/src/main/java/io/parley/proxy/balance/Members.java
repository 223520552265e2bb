package io.parley.proxy.balance;

import io.parley.proxy.route.SmoothWeights;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of a cluster, and how one of them is chosen: by turns where there are any, else the less loaded of two that are drawn by lot, which keeps the
 * load even without looking at all of them, and keeps many proxies from rushing to the same idle one.
 */
final class Members {
    /** The cost of using an endpoint once more. */
    interface Load {
        double of(LiveEndpoint endpoint, long now);
    }

    private final List<LiveEndpoint> endpoints;
    private final @Nullable SmoothWeights turns;
    private final LongSupplier ticker;
    private final Supplier<? extends RandomGenerator> chance;

    /** By {@code turns}, in the order of the endpoints; null if the load decides. */
    Members(
            List<LiveEndpoint> endpoints,
            @Nullable SmoothWeights turns,
            LongSupplier ticker,
            Supplier<? extends RandomGenerator> chance) {
        this.endpoints = List.copyOf(endpoints);
        this.turns = turns;
        this.ticker = ticker;
        this.chance = chance;
    }

    List<LiveEndpoint> endpoints() {
        return endpoints;
    }

    @Nullable
    SmoothWeights turns() {
        return turns;
    }

    /** One that was not tried; null if there is none. */
    @Nullable
    LiveEndpoint choose(Collection<LiveEndpoint> tried, Load load) {
        if (endpoints.size() == 1 && tried.isEmpty()) {
            return endpoints.getFirst();
        }
        long now = ticker.getAsLong();
        LiveEndpoint next = inTurn(tried, now);
        if (next != null) {
            return next;
        }
        List<LiveEndpoint> candidates = candidates(tried, now);
        return switch (candidates.size()) {
            case 0 -> null;
            case 1 -> candidates.getFirst();
            default -> lessLoaded(candidates, load, now);
        };
    }

    /** Whose turn it is among those that can be used; null if the load decides, or none of them can. */
    private @Nullable LiveEndpoint inTurn(Collection<LiveEndpoint> tried, long now) {
        if (turns == null) {
            return null;
        }
        for (int i = 0; i < endpoints.size(); i++) {
            int index = turns.next();
            LiveEndpoint next = index < 0 ? null : endpoints.get(index);
            if (next != null && !tried.contains(next) && isUsable(next, now)) {
                return next;
            }
        }
        return null;
    }

    private LiveEndpoint lessLoaded(List<LiveEndpoint> candidates, Load load, long now) {
        RandomGenerator random = chance.get();
        int first = random.nextInt(candidates.size());
        int second = random.nextInt(candidates.size() - 1);
        LiveEndpoint one = candidates.get(first);
        LiveEndpoint other = candidates.get(second < first ? second : second + 1);
        return load.of(one, now) <= load.of(other, now) ? one : other;
    }

    /**
     * The one that a key belongs to: the same as long as it is there, and each key moves only if its own endpoint goes
     * (rendezvous hashing).
     */
    @Nullable
    LiveEndpoint choose(Collection<LiveEndpoint> tried, String key) {
        LiveEndpoint best = null;
        int highest = 0;
        for (LiveEndpoint candidate : candidates(tried, ticker.getAsLong())) {
            int score = mix(key.hashCode() * 31 + candidate.toString().hashCode());
            if (best == null || score > highest) {
                best = candidate;
                highest = score;
            }
        }
        return best;
    }

    private static int mix(int hash) {
        int mixed = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
        return mixed ^ (mixed >>> 16);
    }

    /** The one that this token stands for, if it can be used; else null. */
    @Nullable
    LiveEndpoint byToken(String token) {
        for (LiveEndpoint endpoint : endpoints) {
            if (endpoint.token().equals(token)) {
                return isUsable(endpoint, ticker.getAsLong()) ? endpoint : null;
            }
        }
        return null;
    }

    /** Ejected endpoints are left out as long as others remain: a dark cluster is better tried than given up. */
    private List<LiveEndpoint> candidates(Collection<LiveEndpoint> tried, long now) {
        List<LiveEndpoint> usable = new ArrayList<>();
        List<LiveEndpoint> untried = new ArrayList<>();
        for (LiveEndpoint endpoint : endpoints) {
            if (!tried.contains(endpoint)) {
                untried.add(endpoint);
                if (isUsable(endpoint, now)) {
                    usable.add(endpoint);
                }
            }
        }
        return usable.isEmpty() ? untried : usable;
    }

    /** How many are chosen from: those that are well, and not left out for a while. */
    int usable() {
        long now = ticker.getAsLong();
        return (int)
                endpoints.stream().filter(endpoint -> isUsable(endpoint, now)).count();
    }

    /** Whether another one is chosen from. */
    boolean hasOtherThan(LiveEndpoint endpoint) {
        long now = ticker.getAsLong();
        return endpoints.stream().anyMatch(other -> !other.equals(endpoint) && isUsable(other, now));
    }

    private static boolean isUsable(LiveEndpoint endpoint, long now) {
        return endpoint.isHealthy() && !endpoint.isEjected(now);
    }

    /** Whether one more may be left out, if at most this share of all may be. */
    boolean mayEjectOneMore(int maxPercent) {
        long now = ticker.getAsLong();
        long ejected =
                endpoints.stream().filter(endpoint -> endpoint.isEjected(now)).count();
        return (ejected + 1) * 100 <= (long) endpoints.size() * maxPercent;
    }
}
