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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the filters that stand before the last one: who may connect, how many, how often. */
final class GuardReader {
    /** Which clients reach a chain at all. */
    enum Clients {
        /** There is no TLS. */
        CLEAR,
        BOTH,
        MEMBERS
    }

    private static final String SPIFFE = "spiffe://";

    private final Reading reading;
    private @Nullable Named allowed;
    private Named denied = new Named();
    private int maxConnections = Limits.DEFAULT.maxConnections();
    private int perSecond;
    private int burst;

    /** Principals of a filter. */
    private static final class Named {
        final Set<SpiffeId> identities = new HashSet<>();
        final Set<String> trustDomains = new HashSet<>();
        boolean any;

        Peers peers() {
            return any ? Peers.ALL : new Peers(identities, trustDomains);
        }
    }

    GuardReader(Reading reading) {
        this.reading = reading;
    }

    /** Who may: without a filter that allows some, everybody. A client without a certificate has no name to be allowed by. */
    Authorization authorization(Clients clients) {
        boolean everybody = allowed == null || allowed.any;
        Strangers strangers =
                clients != Clients.MEMBERS && everybody && !denied.any ? Strangers.ALLOWED : Strangers.REFUSED;
        return new Authorization(strangers, allowed == null ? Peers.ALL : allowed.peers(), denied.peers());
    }

    Limits limits() {
        return new Limits(maxConnections, perSecond, burst);
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
        both.trustDomains.addAll(one.trustDomains);
        both.trustDomains.addAll(other.trustDomains);
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
                default -> reading.fail(at, "empty (expected: any, authenticated or or_ids)");
            }
        }
    }

    private void authenticated(Principal.Authenticated client, String path, Named named) {
        StringMatcher name = client.getPrincipalName();
        String at = path + ".principal_name";
        try {
            switch (name.getMatchPatternCase()) {
                case EXACT -> named.identities.add(SpiffeId.parse(name.getExact()));
                case PREFIX -> named.trustDomains.add(trustDomain(name.getPrefix()));
                default -> named.trustDomains.add(Peers.ANY_MEMBER);
            }
        } catch (IllegalArgumentException e) {
            reading.fail(at, String.valueOf(e.getMessage()));
        }
    }

    private static String trustDomain(String prefix) {
        boolean domain = prefix.startsWith(SPIFFE)
                && prefix.indexOf('/', SPIFFE.length()) == prefix.length() - 1
                && prefix.length() > SPIFFE.length() + 1;
        if (!domain) {
            throw new IllegalArgumentException("prefix: " + prefix + " (expected: spiffe://DOMAIN/)");
        }
        return prefix.substring(SPIFFE.length(), prefix.length() - 1);
    }

    void read(ConnectionLimit limit, String path) {
        long most = limit.getMaxConnections().getValue();
        if (most < 1 || most > Integer.MAX_VALUE) {
            reading.fail(path + ".max_connections", most + " (expected: 1 or more)");
        } else {
            maxConnections = (int) most;
        }
    }

    void read(LocalRateLimit rate, String path) {
        TokenBucket bucket = rate.getTokenBucket();
        double seconds =
                bucket.getFillInterval().getSeconds() + bucket.getFillInterval().getNanos() / 1e9;
        int tokens = bucket.hasTokensPerFill() ? bucket.getTokensPerFill().getValue() : 1;
        if (seconds <= 0 || tokens < 1 || bucket.getMaxTokens() < 1) {
            reading.fail(path + ".token_bucket", "expected: max_tokens, tokens_per_fill and fill_interval above 0");
            return;
        }
        perSecond = (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.round(tokens / seconds)));
        burst = bucket.getMaxTokens();
    }
}
