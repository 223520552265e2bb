package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.rbac.v3.Policy;
import io.envoyproxy.envoy.config.rbac.v3.Principal;
import io.envoyproxy.envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit;
import io.envoyproxy.envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.network.rbac.v3.RBAC;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.v3.TokenBucket;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Peers;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.ListenerConfig.Limits;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the filters that stand before the last one: who may connect, how many, how often. */
final class GuardReader {
    /** Which clients reach a chain at all. */
    enum Clients {
        /** There is no TLS. */
        CLEAR,
        /** A certificate is asked for but not demanded: who has none must be allowed like anybody else. */
        ASKED,
        /** Members of the mesh, to whom the rules apply, and besides them whoever speaks no mesh TLS: a mesh on its way to strictness. */
        PERMISSIVE,
        MEMBERS
    }

    private static final String SPIFFE = "spiffe://";

    /** Beyond that a bucket that is empty stays so. */
    private static final Duration LONGEST_FILL = Duration.ofDays(365);

    private final Reading reading;
    private @Nullable Named allowed;
    private Named denied = new Named();
    private @Nullable Integer maxConnections;
    private @Nullable Rate rate;

    /** New connections: one each so long, and so many at once. */
    private record Rate(Duration every, int burst) {
        static final Rate UNLIMITED = new Rate(Duration.ZERO, 0);
    }

    /** Principals of a filter. */
    private static final class Named {
        final Set<SpiffeId> identities = new HashSet<>();
        final Set<String> beginnings = new HashSet<>();
        boolean any;

        Peers peers() {
            return any ? Peers.ALL : new Peers(identities, Set.of(), beginnings);
        }
    }

    GuardReader(Reading reading) {
        this.reading = reading;
    }

    /** Who may: without a filter that allows some, everybody. */
    Authorization authorization(Clients clients) {
        return new Authorization(strangers(clients), allowed == null ? Peers.ALL : allowed.peers(), denied.peers());
    }

    /** A client without a certificate has no name to be allowed by. */
    private Strangers strangers(Clients clients) {
        boolean everybody = (allowed == null || allowed.any) && !denied.any;
        return switch (clients) {
            case CLEAR, ASKED -> everybody ? Strangers.ALLOWED : Strangers.REFUSED;
            case PERMISSIVE -> Strangers.ALLOWED;
            case MEMBERS -> Strangers.REFUSED;
        };
    }

    Limits limits() {
        Rate often = rate == null ? Rate.UNLIMITED : rate;
        return new Limits(
                maxConnections == null ? Limits.DEFAULT.maxConnections() : maxConnections,
                often.every(),
                often.burst());
    }

    void read(RBAC rbac, String path) {
        if (!rbac.hasRules()) {
            return;
        }
        Named named = new Named();
        rbac.getRules().getPoliciesMap().forEach((name, policy) -> {
            String at = path + ".rules.policies[" + name + "]";
            requireAnyPermission(policy, at);
            principals(policy.getPrincipalsList(), at + ".principals", named);
        });
        switch (rbac.getRules().getAction()) {
            case ALLOW -> {
                if (allowed != null) {
                    reading.fail(path, "a second filter that allows (expected: one)");
                }
                allowed = named;
            }
            case DENY -> denied = merged(denied, named);
            default -> reading.fail(path + ".rules.action", rbac.getRules().getAction() + " (expected: ALLOW or DENY)");
        }
    }

    private static Named merged(Named one, Named other) {
        Named both = new Named();
        both.identities.addAll(one.identities);
        both.identities.addAll(other.identities);
        both.beginnings.addAll(one.beginnings);
        both.beginnings.addAll(other.beginnings);
        both.any = one.any || other.any;
        return both;
    }

    private void requireAnyPermission(Policy policy, String path) {
        if (policy.getPermissionsList().stream().noneMatch(permission -> permission.getAny())) {
            reading.fail(path + ".permissions", "none is any (expected: any: true)");
        }
    }

    private void principals(List<Principal> principals, String path, Named named) {
        for (int i = 0; i < principals.size(); i++) {
            Principal principal = principals.get(i);
            String at = path + "[" + i + "]";
            switch (principal.getIdentifierCase()) {
                case ANY -> named.any = true;
                case OR_IDS -> principals(principal.getOrIds().getIdsList(), at + ".or_ids.ids", named);
                case AUTHENTICATED -> authenticated(principal.getAuthenticated(), at + ".authenticated", named);
                default ->
                    reading.fail(at, principal.getIdentifierCase() + " (expected: any, authenticated or or_ids)");
            }
        }
    }

    private void authenticated(Principal.Authenticated client, String path, Named named) {
        StringMatcher name = client.getPrincipalName();
        if (name.getIgnoreCase()) {
            reading.fail(
                    path + ".principal_name.ignore_case",
                    "true (expected: false, as names are compared letter by letter)");
        }
        switch (name.getMatchPatternCase()) {
            case EXACT -> spiffe(name.getExact()).ifPresent(named.identities::add);
            case PREFIX -> named.beginnings.add(name.getPrefix());
            case MATCHPATTERN_NOT_SET -> named.beginnings.add(SPIFFE);
            default ->
                reading.fail(
                        path + ".principal_name", name.getMatchPatternCase() + " (expected: exact, prefix or nothing)");
        }
    }

    /** What is no SPIFFE id is nobody's name here, so that a rule for it is for nobody. */
    private static Optional<SpiffeId> spiffe(String name) {
        try {
            return Optional.of(SpiffeId.parse(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    void read(ConnectionLimit limit, String path) {
        long most = limit.getMaxConnections().getValue();
        if (most < 1 || most > Integer.MAX_VALUE) {
            reading.fail(path + ".max_connections", most + " (expected: 1 or more)");
            return;
        }
        requireSame(maxConnections, (int) most, path + ".max_connections");
        maxConnections = (int) most;
    }

    void read(LocalRateLimit limit, String path) {
        TokenBucket bucket = limit.getTokenBucket();
        com.google.protobuf.Duration fill = bucket.getFillInterval();
        Duration interval = Duration.ofSeconds(Math.min(fill.getSeconds(), LONGEST_FILL.toSeconds()), fill.getNanos());
        int tokens = bucket.hasTokensPerFill() ? bucket.getTokensPerFill().getValue() : 1;
        if (!interval.isPositive() || tokens < 1 || bucket.getMaxTokens() < 1) {
            reading.fail(path + ".token_bucket", "expected: max_tokens, tokens_per_fill and fill_interval above 0");
            return;
        }
        Duration each = interval.dividedBy(tokens);
        Rate said = new Rate(each.isZero() ? Duration.ofNanos(1) : each, bucket.getMaxTokens());
        requireSame(rate, said, path + ".token_bucket");
        rate = said;
    }

    /** There is one place for it, in which the last would count and the others be forgotten. */
    private void requireSame(@Nullable Object before, Object now, String path) {
        if (before != null && !before.equals(now)) {
            reading.fail(path, now + " after " + before + " (expected: the same, as it holds for the whole listener)");
        }
    }

    /** Whether anybody is let in or kept out by name. */
    boolean tellsWhoMay() {
        return allowed != null || !denied.peers().equals(Peers.NONE);
    }
}
