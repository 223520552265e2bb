package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import io.parley.control.model.VirtualOutbound;
import io.parley.control.snapshot.ModelFeed;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one ServiceInsight for each mesh: how many proxies of each service are up. Written at a steady pace, by the leader only. */
public final class ServiceInsights {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceInsights.class);
    private static final KindId KIND = new KindId("ServiceInsight");
    private static final KindId MESH = new KindId("Mesh");
    private static final Duration PACE = Duration.ofSeconds(1);

    private final ResourceStore store;
    private final ModelFeed feed;
    private final BooleanSupplier leads;
    private final AtomicBoolean changed = new AtomicBoolean(true);

    public ServiceInsights(ResourceStore store, ModelFeed feed, BooleanSupplier leads) {
        this.store = store;
        this.feed = feed;
        this.leads = leads;
    }

    /** The timer may be blocked by the store. */
    public void start(ScheduledExecutorService timer) {
        feed.listen(update -> {
            if (update.all() || !update.touched().isEmpty()) {
                changed.set(true);
            }
        });
        var _ = timer.scheduleWithFixedDelay(this::flush, PACE.toMillis(), PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    void flush() {
        if (!leads.getAsBoolean() || !changed.getAndSet(false)) {
            return;
        }
        Model model = feed.current();
        try {
            for (MeshModel mesh : model.meshes().values()) {
                if (mesh.declared()) {
                    write(mesh);
                }
            }
        } catch (StoreException e) {
            changed.set(true);
            LOG.warn("insights of services not written: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("insights of services not written: this is a fault in the program", e);
        }
    }

    private void write(MeshModel mesh) {
        ResourceKey key = new ResourceKey(KIND, mesh.name(), "all-services-" + mesh.name());
        store.put(new Change.Put(
                Resource.of(key, Document.of(document(mesh))),
                Expected.anything(),
                new ResourceKey(MESH, "", mesh.name())));
    }

    /** What is known of a mesh's services. */
    static ObjectNode document(MeshModel mesh) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode services = document.putObject("services");
        for (Service service : mesh.services().values()) {
            List<Endpoint> endpoints = service.endpoints().values();
            int total = endpoints.size();
            int online = (int) endpoints.stream().filter(Endpoint::healthy).count();
            ObjectNode shown = services.putObject(service.name());
            shown.put("status", online == 0 ? "offline" : online == total ? "online" : "partially_degraded");
            shown.putObject("dataplanes")
                    .put("total", total)
                    .put("online", online)
                    .put("offline", total - online);
            shown.put("serviceType", service.external() == null ? "internal" : "external");
            shown.put("protocol", service.protocol().value().toString());
            mesh.hostNames(service).stream().findFirst().ifPresent(name -> shown.put("addressPort", addressPort(name)));
            Set.copyOf(endpoints.stream()
                            .map(Endpoint::zone)
                            .filter(Objects::nonNull)
                            .toList())
                    .stream()
                    .sorted()
                    .forEach(zone -> shown.withArray("/zones").add(zone));
        }
        return document;
    }

    private static String addressPort(VirtualOutbound.HostName name) {
        return name.host() + ":" + name.port();
    }
}
