package io.parley.control.policy.trafficpermission;

import io.envoyproxy.envoy.config.rbac.v3.Permission;
import io.envoyproxy.envoy.config.rbac.v3.Policy;
import io.envoyproxy.envoy.config.rbac.v3.Principal;
import io.envoyproxy.envoy.config.rbac.v3.RBAC;
import io.envoyproxy.envoy.config.rbac.v3.RBAC.Action;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.control.draft.Filters;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.HeaderMatchers;
import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.model.Identities;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.trafficpermission.MeshTrafficPermission;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Lets in whom a policy allows and nobody else. Without certificates nobody can be told from another, so it does nothing then. */
public final class TrafficPermissionEffect
        implements PolicyEffect<io.parley.resource.policy.trafficpermission.Permission> {
    public static final PolicyKind<io.parley.resource.policy.trafficpermission.Permission> KIND =
            PolicyKind.incoming("MeshTrafficPermission", MeshTrafficPermission.READER);

    @Override
    public PolicyKind<io.parley.resource.policy.trafficpermission.Permission> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<io.parley.resource.policy.trafficpermission.Permission> matched, ProxyDraft draft) {
        if (draft.mesh().authority().isEmpty()) {
            return;
        }
        for (InboundDraft inbound : draft.inbounds()) {
            AccessList list = AccessList.of(matched.byCaller(inbound.inbound()), draft);
            // Our own proxies terminate TLS for their own name only.
            boolean ours = draft.flavor() == Flavor.PARLEY;
            String name = Identities.serverName(draft.mesh().name(), inbound.service());
            filters(ours ? list.askedFor(name) : list, inbound, draft.flavor());
        }
    }

    private static void filters(AccessList list, InboundDraft inbound, Flavor flavor) {
        if (!list.denied().isEmpty()) {
            add(rules(Action.DENY, policies("deny", list.denied())), Set.of(), inbound, flavor);
        }
        // Without a policy, ALLOW lets nobody in: that is what no permission means.
        add(rules(Action.ALLOW, policies("allow", list.allowed())), list.shadowDenied(), inbound, flavor);
    }

    /** A program without a proxy checks requests, a proxy connections; the rules are the same. */
    private static void add(RBAC rules, Set<AccessList.Caller> shadowDenied, InboundDraft inbound, Flavor flavor) {
        if (flavor == Flavor.GRPC) {
            inbound.httpFilters()
                    .add(Filters.http(
                            Filters.HTTP_RBAC,
                            io.envoyproxy
                                    .envoy
                                    .extensions
                                    .filters
                                    .http
                                    .rbac
                                    .v3
                                    .RBAC
                                    .newBuilder()
                                    .setRules(rules)
                                    .build()));
            return;
        }
        var filter = io.envoyproxy
                .envoy
                .extensions
                .filters
                .network
                .rbac
                .v3
                .RBAC
                .newBuilder()
                .setStatPrefix(inbound.service())
                .setRules(rules);
        if (!shadowDenied.isEmpty()) {
            filter.setShadowRules(rules(Action.DENY, policies("shadow-deny", shadowDenied)));
        }
        inbound.permissions().add(Filters.network(Filters.RBAC, filter.build()));
    }

    private static RBAC rules(Action action, Map<String, Policy> policies) {
        return RBAC.newBuilder().setAction(action).putAllPolicies(policies).build();
    }

    /** One policy for those who may ask for any name, one more for each name that somebody must ask for. */
    private static Map<String, Policy> policies(String name, Set<AccessList.Caller> callers) {
        Map<String, Policy.Builder> policies = new TreeMap<>();
        for (AccessList.Caller caller : callers) {
            String serverName = caller.serverName();
            policies.computeIfAbsent(
                            serverName.isEmpty() ? name : name + ":" + serverName,
                            _ -> Policy.newBuilder().addPermissions(asking(serverName)))
                    .addPrincipals(principal(caller));
        }
        Map<String, Policy> built = new LinkedHashMap<>();
        policies.forEach((key, policy) -> built.put(key, policy.build()));
        return built;
    }

    private static Permission asking(String serverName) {
        return serverName.isEmpty()
                ? Permission.newBuilder().setAny(true).build()
                : Permission.newBuilder()
                        .setRequestedServerName(HeaderMatchers.exact(serverName))
                        .build();
    }

    private static Principal principal(AccessList.Caller caller) {
        StringMatcher.Builder name = StringMatcher.newBuilder();
        if (caller.whole()) {
            name.setExact(caller.id());
        } else {
            name.setPrefix(caller.id());
        }
        Principal.Builder principal = Principal.newBuilder();
        principal.getAuthenticatedBuilder().setPrincipalName(name);
        return principal.build();
    }
}
