package io.parley.control.insight;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.control.explain.Observations.Observed;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import java.util.ArrayList;
import java.util.List;

/** Reads back what data planes reported, whichever control plane of the store they reported it to. May block. */
public final class ReportedDecisions {
    private static final KindId INSIGHT = new KindId("DataplaneInsight");

    private final ResourceStore store;

    public ReportedDecisions(ResourceStore store) {
        this.store = store;
    }

    public List<Observed> of(String mesh, String dataplane) {
        List<Observed> decisions = new ArrayList<>();
        store.find(new ResourceKey(INSIGHT, mesh, dataplane)).ifPresent(insight -> {
            for (JsonNode each : insight.resource().spec().tree().path("report").path("decisions")) {
                decisions.add(new Observed(
                        each.path("subject").asText(),
                        each.path("decision").asText(),
                        each.path("because").asText(),
                        each.path("source").asText()));
            }
        });
        return decisions;
    }
}
