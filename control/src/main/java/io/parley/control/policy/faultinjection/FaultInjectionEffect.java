package io.parley.control.policy.faultinjection;

import static io.parley.control.draft.Protos.duration;
import static io.parley.control.draft.Protos.share;

import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.parley.control.draft.Callers;
import io.parley.control.draft.Filters;
import io.parley.control.draft.HeaderMatchers;
import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.model.PolicyItem;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.faultinjection.Faults;
import io.parley.resource.policy.faultinjection.MeshFaultInjection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Harms requests where they arrive, all or those of some callers. A caller is recognised by the header that the proxy itself
 * writes from the certificate, so that nobody can claim to be another.
 */
public final class FaultInjectionEffect implements PolicyEffect<Faults> {
    public static final PolicyKind<Faults> KIND = PolicyKind.traffic("MeshFaultInjection", MeshFaultInjection.READER);

    private static final String CERTIFICATE_HEADER = "x-forwarded-client-cert";
    private static final long BITS_PER_KIBIBYTE = 8 * 1024;

    @Override
    public PolicyKind<Faults> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<Faults> matched, ProxyDraft draft) {
        draft.inbounds().stream()
                .filter(InboundDraft::carriesHttp)
                .forEach(inbound -> inbound(matched, draft, inbound));
        if (draft.dataplane().isGateway()) {
            draft.outbounds()
                    .forEach(outbound -> matched.to(outbound.destination())
                            .conf()
                            .ifPresent(faults -> faults.http()
                                    .forEach(fault -> outbound.httpFilters()
                                            .add(Filters.http(
                                                    Filters.FAULT, fault(fault).build())))));
        }
    }

    private static void inbound(Matched<Faults> matched, ProxyDraft draft, InboundDraft inbound) {
        List<PolicyItem> items = matched.byCaller(inbound.inbound());
        Map<PolicyItem, Callers> callers = new HashMap<>();
        items.forEach(item -> callers.put(item, callers(item, draft)));
        Map<PolicyItem, Set<String>> groups = new LinkedHashMap<>();
        Map<String, PolicyItem> deciding = Callers.deciding(items, callers);
        deciding.forEach(
                (id, item) -> groups.computeIfAbsent(item, _ -> new TreeSet<>()).add(id));
        groups.forEach((item, ids) -> {
            for (Faults.HttpFault fault : ((Faults) item.typed()).http()) {
                HTTPFault.Builder filter = fault(fault);
                caller(ids, deciding.keySet()).ifPresent(filter::addHeaders);
                inbound.httpFilters().add(Filters.http(Filters.FAULT, filter.build()));
            }
        });
    }

    private static Callers callers(PolicyItem item, ProxyDraft draft) {
        return item.callers().isEmpty()
                ? Callers.of(item, draft, Callers.Part.ANY)
                : new Callers(false, Callers.exact(item.callers()));
    }

    /** What a request of one of these carries; nothing if anybody is meant. */
    private static java.util.Optional<HeaderMatcher> caller(Set<String> ids, Set<String> named) {
        boolean others = ids.contains("");
        Set<String> listed = new TreeSet<>(others ? named : ids);
        if (others) {
            listed.removeAll(ids);
        }
        listed.remove("");
        if (listed.isEmpty()) {
            return java.util.Optional.empty();
        }
        // RE2 has \Q…\E: an id is compared as it stands.
        String pattern = listed.stream().map(id -> "\\Q" + id + "\\E").collect(Collectors.joining("|"));
        return java.util.Optional.of(HeaderMatcher.newBuilder()
                .setName(CERTIFICATE_HEADER)
                .setStringMatch(StringMatcher.newBuilder()
                        .setSafeRegex(HeaderMatchers.regex("(.*[;,])?URI=(" + pattern + ")([;,].*)?")))
                .setInvertMatch(others)
                .setTreatMissingHeaderAsEmpty(others)
                .build());
    }

    private static HTTPFault.Builder fault(Faults.HttpFault fault) {
        HTTPFault.Builder filter = HTTPFault.newBuilder();
        if (fault.delay() != null) {
            filter.getDelayBuilder()
                    .setFixedDelay(duration(fault.delay().value()))
                    .setPercentage(share(fault.delay().percentage()));
        }
        if (fault.abort() != null) {
            filter.getAbortBuilder()
                    .setHttpStatus(fault.abort().httpStatus())
                    .setPercentage(share(fault.abort().percentage()));
        }
        if (fault.responseBandwidth() != null) {
            long limit = fault.responseBandwidth().limit().bitsPerSecond() / BITS_PER_KIBIBYTE;
            filter.getResponseRateLimitBuilder()
                    .setPercentage(share(fault.responseBandwidth().percentage()))
                    .getFixedLimitBuilder()
                    .setLimitKbps(Math.max(1, limit));
        }
        return filter;
    }
}
