package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import io.parley.control.model.VirtualOutbound;
import io.parley.control.node.NodeKey;
import io.parley.control.feed.FollowUp;
import io.parley.control.feed.ModelFeed;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one ServiceInsight for each mesh: how many proxies of each service are up. Written at a steady pace, by the leader only. */
public final class ServiceInsights {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceInsights.class);
    private static final KindId KIND = new KindId("ServiceInsight");
    private static final KindId MESH = new KindId("Mesh");
    private static final Duration PACE = Duration.ofSeconds(1);

    /** Who is connected is no part of the model, so it has to be looked at. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final ResourceStore store;
    private final ModelFeed feed;
    private final BooleanSupplier leads;
    private final ConnectedDataplanes connected;
    private Set<NodeKey> online = Set.of();

    public ServiceInsights(ResourceStore store, ModelFeed feed, BooleanSupplier leads) {
        this.store = store;
        this.feed = feed;
        this.leads = leads;
        this.connected = new ConnectedDataplanes(store);
    }

    /** The timer may be blocked by the store. */
    public void start(ScheduledExecutorService timer) {
        new FollowUp("insights of services", feed, this::writeAll).start(timer, PACE);
        var _ = timer.scheduleWithFixedDelay(this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            if (leads.getAsBoolean() && !connected.online().equals(online)) {
                FollowUp.Outcome _ = writeAll(feed.current());
            }
        } catch (RuntimeException e) {
            LOG.warn("insights of services: not yet: {}", e.getMessage());
        }
    }

    FollowUp.Outcome writeAll(Model model) {
        if (!leads.getAsBoolean()) {
            return FollowUp.Outcome.AGAIN;
        }
        online = connected.online();
        for (MeshModel mesh : model.meshes().values()) {
            if (mesh.declared()) {
                write(mesh);
            }
        }
        return FollowUp.Outcome.DONE;
    }

    private void write(MeshModel mesh) {
        ResourceKey key = new ResourceKey(KIND, mesh.name(), "all-services-" + mesh.name());
        store.put(new Change.Put(
                Resource.of(key, Document.of(document(mesh, online))),
                Expected.anything(),
                new ResourceKey(MESH, "", mesh.name())));
    }

    /** What is known of a mesh's services. */
    static ObjectNode document(MeshModel mesh, Set<NodeKey> online) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode services = document.putObject("services");
        for (Service service : mesh.services().values()) {
            List<Endpoint> endpoints = service.endpoints().values();
            int total = endpoints.size();
            int up = (int) endpoints.stream()
                    .filter(endpoint -> endpoint.healthy() && isReached(mesh, endpoint, online))
                    .count();
            ObjectNode shown = services.putObject(service.name());
            shown.put("status", up == 0 ? "offline" : up == total ? "online" : "partially_degraded");
            shown.putObject("dataplanes").put("total", total).put("online", up).put("offline", total - up);
            shown.put("serviceType", service.isExternal() ? "external" : "internal");
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

    /** A workload with a proxy is there if its proxy is connected; of others only their health is known. */
    private static boolean isReached(MeshModel mesh, Endpoint endpoint, Set<NodeKey> online) {
        return endpoint.dataplane()
                .map(name -> online.contains(new NodeKey(mesh.name(), name)))
                .orElse(true);
    }

    private static String addressPort(VirtualOutbound.HostName name) {
        return name.host() + ":" + name.port();
    }
}
