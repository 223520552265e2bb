package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.control.access.Action;
import io.parley.control.access.Place;
import io.parley.sync.zone.LinkState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code GET /inspect/links}: how a zone stands with its global control plane, for each class of kinds. Nothing on others. */
final class LinksEndpoint {
    private final Place place;
    private final Supplier<List<LinkState>> links;

    LinksEndpoint(Place place, Supplier<List<LinkState>> links) {
        this.place = place;
        this.links = links;
    }

    HttpResponse handle(ServiceRequestContext context, AggregatedHttpRequest request) {
        Authentication.require(context, Action.READ);
        String zone = place instanceof Place.Zone(String name) ? name : "";
        List<Map<String, Object>> items =
                links.get().stream().map(link -> item(zone, link)).toList();
        return Json.answer(HttpStatus.OK, Map.of("total", items.size(), "items", items));
    }

    private static Map<String, Object> item(String zone, LinkState link) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("zone", zone);
        item.put("kinds", link.kinds().text());
        switch (link) {
            case LinkState.Connected connected -> {
                item.put("state", "connected");
                item.put("since", connected.since().toString());
                item.put("syncVersion", connected.version());
            }
            case LinkState.Connecting _ -> item.put("state", "connecting");
            case LinkState.Waiting waiting -> {
                item.put("state", "waiting");
                item.put("because", waiting.because());
            }
            case LinkState.Elsewhere _ -> item.put("state", "elsewhere");
            case LinkState.Closed _ -> item.put("state", "closed");
        }
        return item;
    }
}
