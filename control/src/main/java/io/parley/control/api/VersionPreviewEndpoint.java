package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.PolicyPreview;
import io.parley.agreement.version.PolicySet;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.agreement.version.ServiceOutcome;
import io.parley.control.access.Action;
import io.parley.control.insight.ConnectedDataplanes;
import io.parley.control.serve.VersionPolicies;
import io.parley.resource.Resource;
import io.parley.store.ResourceStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code POST /versions/preview}: what would become of each connected data plane if these VersionPolicies were applied. The same rule as
 * the real negotiation decides, and nothing is stored.
 */
final class VersionPreviewEndpoint {
    private final ResourceStore store;
    private final ServiceCatalog services;

    VersionPreviewEndpoint(ResourceStore store, ServiceCatalog services) {
        this.store = store;
        this.services = services;
    }

    HttpResponse handle(ServiceRequestContext context, AggregatedHttpRequest request) {
        Authentication.require(context, Action.READ);
        PolicySet now = new VersionPolicies(store).current();
        PolicySet then = now;
        for (Resource resource : ManifestBody.all(request, "The policy is not valid.")) {
            then = then.with(VersionPolicies.of(resource)
                    .orElseThrow(() -> Problem.invalid(
                                    resource.key() + " (expected: VersionPolicy resources only)", List.of())
                            .asException()));
        }
        List<ConnectedDataplanes.Connected> connected = new ConnectedDataplanes(store).list();
        List<PolicyPreview> previews = PolicyPreview.of(
                services,
                now,
                then,
                connected.stream().map(ConnectedDataplanes.Connected::asked).toList());
        List<Map<String, Object>> items = new ArrayList<>();
        for (int i = 0; i < previews.size(); i++) {
            items.add(item(connected.get(i), previews.get(i)));
        }
        return Json.answer(HttpStatus.OK, Map.of("total", items.size(), "items", items));
    }

    private static Map<String, Object> item(ConnectedDataplanes.Connected connected, PolicyPreview preview) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("mesh", connected.node().mesh());
        item.put("name", connected.node().name());
        item.put("effect", preview.effect().name().toLowerCase(Locale.ROOT));
        item.put("before", outcomes(preview.before()));
        item.put("after", outcomes(preview.after()));
        return item;
    }

    private static List<Map<String, String>> outcomes(NegotiationAnswer answer) {
        return switch (answer) {
            case NegotiationAnswer.Invalid(String message) -> List.of(Map.of("problem", message));
            case NegotiationAnswer.Answered answered ->
                answered.outcomes().stream()
                        .map(VersionPreviewEndpoint::outcome)
                        .toList();
        };
    }

    private static Map<String, String> outcome(ServiceOutcome outcome) {
        Map<String, String> told = new LinkedHashMap<>();
        told.put("service", outcome.service());
        switch (outcome) {
            case ServiceOutcome.Accepted accepted -> {
                told.put("version", accepted.version().value());
                told.put("because", accepted.version().because());
            }
            case ServiceOutcome.Rejected rejected ->
                told.put("because", rejected.reason().because());
        }
        if (!outcome.message().isEmpty()) {
            told.put("message", outcome.message());
        }
        return told;
    }
}
