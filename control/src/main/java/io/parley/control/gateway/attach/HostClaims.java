package io.parley.control.gateway.attach;

import io.parley.agreement.backend.RouteKind;
import io.parley.control.gateway.model.RouteName;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whose host names are whose at one listener, where an HTTPRoute and a GRPCRoute want the same: the API lets exactly one of the two in,
 * the older one, and of the same age the one whose name comes first.
 */
public final class HostClaims {
    /** A route that was let in at a listener, and the names under which it wants to be reached there. */
    public record Claim(RouteName route, Instant created, int listener, List<String> hostnames) {}

    private static final Comparator<Claim> AGE = Comparator.comparing(Claim::created)
            .thenComparing(claim -> claim.route().name())
            .thenComparing(claim -> claim.route().kind());

    /** Names that were granted, from their last letter to their first, so that those of one domain stand together. */
    private final Map<RouteKind, NavigableMap<String, RouteName>> granted = new EnumMap<>(RouteKind.class);

    private HostClaims() {}

    /** Those that get nothing at a listener, by its place in the Gateway, and who has the names in their place. */
    public static Map<RouteName, Map<Integer, RouteName>> lost(Collection<Claim> claims) {
        boolean both =
                claims.stream().map(claim -> claim.route().kind()).distinct().count() > 1;
        if (!both) {
            return Map.of();
        }
        Map<Integer, HostClaims> byListener = new HashMap<>();
        Map<RouteName, Map<Integer, RouteName>> lost = new HashMap<>();
        claims.stream()
                .sorted(AGE)
                .forEach(claim -> byListener
                        .computeIfAbsent(claim.listener(), _ -> new HostClaims())
                        .grant(claim)
                        .ifPresent(winner -> lost.computeIfAbsent(claim.route(), _ -> new HashMap<>())
                                .put(claim.listener(), winner)));
        return lost;
    }

    /** Grants it, or tells who has one of its names. */
    private Optional<RouteName> grant(Claim claim) {
        RouteKind own = claim.route().kind();
        NavigableMap<String, RouteName> others = of(own == RouteKind.GRPC ? RouteKind.HTTP : RouteKind.GRPC);
        for (String name : claim.hostnames()) {
            Optional<RouteName> winner = holder(name, others);
            if (winner.isPresent()) {
                return winner;
            }
        }
        claim.hostnames().forEach(name -> of(own).putIfAbsent(reversed(name), claim.route()));
        return Optional.empty();
    }

    private NavigableMap<String, RouteName> of(RouteKind kind) {
        return granted.computeIfAbsent(kind, _ -> new TreeMap<>());
    }

    private static Optional<RouteName> holder(String name, NavigableMap<String, RouteName> names) {
        if (names.isEmpty()) {
            return Optional.empty();
        }
        if (name.equals(Hostnames.ANY)) {
            return Optional.of(names.firstEntry().getValue());
        }
        String backwards = reversed(name);
        RouteName found = names.get(backwards);
        for (int dot = backwards.indexOf('.'); found == null && dot >= 0; dot = backwards.indexOf('.', dot + 1)) {
            found = names.get(backwards.substring(0, dot + 1) + Hostnames.ANY);
        }
        if (found == null) {
            found = names.get(Hostnames.ANY);
        }
        return Optional.ofNullable(found).or(() -> within(backwards, names));
    }

    /** Somebody who has a name in the domain of a wildcard. */
    private static Optional<RouteName> within(String backwards, NavigableMap<String, RouteName> names) {
        if (!backwards.endsWith(Hostnames.ANY)) {
            return Optional.empty();
        }
        String domain = backwards.substring(0, backwards.length() - 1);
        return Optional.ofNullable(names.ceilingEntry(domain))
                .filter(entry -> entry.getKey().startsWith(domain))
                .map(Map.Entry::getValue);
    }

    private static String reversed(String name) {
        return new StringBuilder(name).reverse().toString();
    }
}
