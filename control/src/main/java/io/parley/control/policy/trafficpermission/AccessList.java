package io.parley.control.policy.trafficpermission;

import io.parley.control.draft.Callers;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.model.PolicyItem;
import io.parley.resource.policy.CallerMatch;
import io.parley.resource.policy.trafficpermission.Permission;
import io.parley.resource.policy.trafficpermission.Permission.Action;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What all permissions for one inbound add up to: callers that are let in and callers that are kept out whatever lets them in.
 *
 * @param shadowDenied let in, and noted as if they had not been
 */
record AccessList(Set<Caller> allowed, Set<Caller> denied, Set<Caller> shadowDenied) {
    /**
     * A caller, or all whose id starts so.
     *
     * @param whole whether the id is all of it
     * @param serverName what the caller must have asked for in the TLS handshake; empty for anything
     */
    record Caller(String id, boolean whole, String serverName) implements Comparable<Caller> {
        private static final Comparator<Caller> ORDER = Comparator.comparing(Caller::serverName)
                .thenComparing(Caller::id)
                .thenComparing(Caller::whole);

        static Caller of(CallerMatch match) {
            String serverName = match.sni() == null ? "" : match.sni();
            CallerMatch.SpiffeIdMatch id = match.spiffeId();
            return id == null
                    ? new Caller("spiffe://", false, serverName)
                    : new Caller(id.value(), id.type() == CallerMatch.Type.EXACT, serverName);
        }

        @Override
        public int compareTo(Caller other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Adds up.
     *
     * @param items the strongest first
     */
    static AccessList of(List<PolicyItem> items, ProxyDraft draft) {
        AccessList list = new AccessList(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        List<PolicyItem> overall = items.stream()
                .filter(item -> item.typed() instanceof Permission.Overall)
                .toList();
        list.addOverall(overall, draft);
        for (PolicyItem item : items) {
            if (item.typed() instanceof Permission.ByCaller byCaller) {
                add(list.denied, byCaller.deny());
                add(list.allowed, byCaller.allow());
                add(list.allowed, byCaller.allowWithShadowDeny());
                add(list.shadowDenied, byCaller.allowWithShadowDeny());
            }
        }
        return list;
    }

    /** Items of {@code from}: the strongest that is for a caller decides. */
    private void addOverall(List<PolicyItem> items, ProxyDraft draft) {
        Map<PolicyItem, Callers> callers = new HashMap<>();
        for (PolicyItem item : items) {
            Callers.Part part = action(item) == Action.DENY ? Callers.Part.ANY : Callers.Part.ALL;
            callers.put(item, Callers.of(item, draft, part));
        }
        Map<String, PolicyItem> deciding = Callers.deciding(items, callers);
        PolicyItem forOthers = deciding.get("");
        boolean othersAllowed = forOthers != null && action(forOthers) != Action.DENY;
        deciding.forEach((id, item) -> {
            Caller caller = id.isEmpty()
                    ? new Caller("spiffe://" + draft.mesh().name() + "/", false, "")
                    : new Caller(id, true, "");
            switch (action(item)) {
                case ALLOW -> allowed.add(caller);
                case ALLOW_WITH_SHADOW_DENY -> {
                    allowed.add(caller);
                    shadowDenied.add(caller);
                }
                case DENY -> {
                    // Whoever is not let in is out; only an exception from a broad permission needs words.
                    if (othersAllowed) {
                        denied.add(caller);
                    }
                }
            }
        });
    }

    /** Where every caller has asked for this name, those who must ask for it need not be asked, and others never come. */
    AccessList askedFor(String serverName) {
        return new AccessList(
                askedFor(allowed, serverName), askedFor(denied, serverName), askedFor(shadowDenied, serverName));
    }

    private static Set<Caller> askedFor(Set<Caller> callers, String serverName) {
        Set<Caller> asked = new TreeSet<>();
        callers.stream()
                .filter(caller ->
                        caller.serverName().isEmpty() || caller.serverName().equals(serverName))
                .forEach(caller -> asked.add(new Caller(caller.id(), caller.whole(), "")));
        return asked;
    }

    private static void add(Set<Caller> set, Collection<CallerMatch> matches) {
        matches.forEach(match -> set.add(Caller.of(match)));
    }

    private static Action action(PolicyItem item) {
        return ((Permission.Overall) item.typed()).action();
    }
}
