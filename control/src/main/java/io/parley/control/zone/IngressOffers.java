package io.parley.control.zone;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.model.Model;
import io.parley.control.feed.FollowUp;
import io.parley.control.feed.ModelFeed;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

/** Keeps what this zone's ingresses announce equal to what there is, by the leader only, at a steady pace. */
public final class IngressOffers {
    private static final KindId INGRESS = new KindId("ZoneIngress");
    private static final Duration PACE = Duration.ofMillis(500);

    private final ResourceStore store;
    private final ModelFeed feed;
    private final String zone;
    private final BooleanSupplier leads;

    public IngressOffers(ResourceStore store, ModelFeed feed, String zone, BooleanSupplier leads) {
        this.store = store;
        this.feed = feed;
        this.zone = zone;
        this.leads = leads;
    }

    /** The timer may be blocked by the store. */
    public void start(ScheduledExecutorService timer) {
        new FollowUp("what the zone offers", feed, this::announceAll).start(timer, PACE);
    }

    private FollowUp.Outcome announceAll(Model model) {
        if (!leads.getAsBoolean()) {
            return FollowUp.Outcome.AGAIN;
        }
        ArrayNode offers = Offers.of(model, zone);
        model.zoneIngresses().keys().forEach(name -> announce(name, offers));
        return FollowUp.Outcome.DONE;
    }

    /** Others' ingresses, which are here as copies, are left alone. The store does not write what is as it was. */
    private void announce(String name, ArrayNode offers) {
        Stored stored = store.find(new ResourceKey(INGRESS, "", name)).orElse(null);
        if (stored == null) {
            return;
        }
        Resource ingress = stored.resource();
        ObjectNode spec = ingress.spec().tree();
        String owner = spec.path("zone").asText(zone);
        if (owner.equals(zone)) {
            spec.put("zone", zone).set("availableServices", offers);
            store.put(ingress.withSpec(Document.of(spec)), Expected.exactly(stored.revision()));
        }
    }
}
