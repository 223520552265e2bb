package io.parley.control.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.Placement;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.status.Serving;
import io.parley.control.gateway.status.Status;
import io.parley.control.testing.Worlds;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Event;
import io.parley.store.Revision;
import io.parley.store.Stored;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A translator without a store around it: manifests in, messages and statuses out, all at once. */
final class Stage implements Translator.Output {
    static final String GROUP = "gateway.networking.k8s.io/";

    /** A class, a Gateway with one HTTP listener, and a Service with an endpoint. */
    static final String BASE = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: GatewayClass
        metadata: {name: parley}
        spec: {controllerName: parley.io/gateway-controller}
        ---
        apiVersion: gateway.networking.k8s.io/v1
        kind: Gateway
        metadata: {name: edge, namespace: infra}
        spec:
          gatewayClassName: parley
          listeners:
            - {name: web, port: 80, protocol: HTTP}
        """ + service("infra", "one", "{port: 8080}");

    final Set<Name> joined = new HashSet<>(Set.of(new Name("infra", "edge")));
    final Map<ResourceKey, ObjectNode> statuses = new HashMap<>();
    final Map<Name, Snapshot> snapshots = new HashMap<>();
    int statusesTold;
    private final Map<ResourceKey, Stored> stored = new HashMap<>();
    private final Translator translator =
            new Translator(new Placement("127.0.0.1", "127.0.0.1", 0), this::serving, this);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** What the proxies of a Gateway cannot do, by the place of the listener. */
    final Map<Integer, Serving.Trouble> troubles = new HashMap<>();

    private Serving serving(CheckedGateway gateway) {
        return joined.contains(gateway.name()) ? new Serving.Somebody(troubles, "") : new Serving.Nobody();
    }

    Stage(String... manifests) {
        for (String each : manifests) {
            apply(each);
        }
    }

    /** A Service with these ports and one endpoint for each, at 10.0.0.1 and the port + 1000. */
    static String service(String namespace, String name, String... ports) {
        StringBuilder slice = new StringBuilder();
        for (String port : ports) {
            slice.append("  - ")
                    .append(port.replaceAll("port: ([0-9]+)", "port: 1$1").replaceAll(", appProtocol: [^,}]+", ""))
                    .append('\n');
        }
        return """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: %2$s, namespace: %1$s}
            spec:
              ports: [%3$s]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata:
              name: %2$s-1
              namespace: %1$s
              labels: {kubernetes.io/service-name: %2$s}
            addressType: IPv4
            endpoints:
              - addresses: [10.0.0.1]
            ports:
            %4$s\
            """.formatted(namespace, name, String.join(", ", ports), slice);
    }

    /** A route of namespace infra to the Gateway above; the rest of its spec is given. */
    static String route(String kind, String name, String spec) {
        return """
            ---
            apiVersion: gateway.networking.k8s.io/v1
            kind: %s
            metadata: {name: %s, namespace: infra}
            spec:
              parentRefs: [{name: edge}]
            %s\
            """.formatted(kind, name, spec.indent(2));
    }

    Stage apply(String yaml) {
        return hold(Worlds.resources(yaml));
    }

    /** As they are, also if nobody would let them in today. */
    Stage hold(List<Resource> resources) {
        now = now.plusSeconds(1);
        List<Event> events = new ArrayList<>();
        for (Resource resource : resources) {
            Stored before = stored.get(resource.key());
            long generation = before == null
                    ? 1
                    : before.generation() + (before.resource().spec().equals(resource.spec()) ? 0 : 1);
            Stored after = new Stored(
                    resource, Revision.START, generation, null, before == null ? now : before.created(), now);
            stored.put(resource.key(), after);
            events.add(new Event.Written(after));
        }
        translator.apply(translator.world().after(events));
        return this;
    }

    Stage delete(String kind, String namespace, String name) {
        ResourceKey key = new ResourceKey(new KindId(kind), namespace, name);
        stored.remove(key);
        translator.apply(translator.world().after(List.of(new Event.Deleted(key, Revision.START))));
        return this;
    }

    /** Everything is read anew, as after a restart or a gap in the history. */
    void reload() {
        translator.reset(io.parley.control.gateway.model.World.EMPTY.after(
                stored.values().stream().<Event>map(Event.Written::new).toList()));
    }

    GatewayWork work() {
        return translator.done();
    }

    void tell(Name gateway) {
        translator.tellGateway(gateway);
    }

    @Override
    public void publish(Name gateway, Snapshot snapshot) {
        snapshots.put(gateway, snapshot);
    }

    @Override
    public void withdraw(Name gateway) {
        snapshots.remove(gateway);
    }

    @Override
    public void status(ResourceKey key, Status status) {
        statusesTold++;
        ObjectNode earlier = statuses.getOrDefault(key, JsonNodeFactory.instance.objectNode());
        statuses.put(key, status.after(earlier, now));
    }

    // What came out

    ObjectNode status(String kind, String name) {
        int slash = name.indexOf('/');
        ResourceKey key = new ResourceKey(
                new KindId(GROUP + kind), slash < 0 ? "" : name.substring(0, slash), name.substring(slash + 1));
        return statuses.getOrDefault(key, JsonNodeFactory.instance.objectNode());
    }

    /** {@code True Accepted}, {@code False BackendNotFound}, or nothing: of the object, or of its first parent or ancestor. */
    String condition(String kind, String name, String type) {
        ObjectNode status = status(kind, name);
        JsonNode first = status.has("parents")
                ? status.path("parents").path(0)
                : status.has("ancestors") ? status.path("ancestors").path(0) : status;
        return text(first.path("conditions"), type);
    }

    String listener(String gateway, String listener, String type) {
        return text(entry(gateway, listener).path("conditions"), type);
    }

    JsonNode entry(String gateway, String listener) {
        for (JsonNode each : status("Gateway", gateway).path("listeners")) {
            if (each.path("name").asText().equals(listener)) {
                return each;
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    String message(String kind, String name, String type) {
        for (JsonNode each : status(kind, name).path("parents").path(0).path("conditions")) {
            if (each.path("type").asText().equals(type)) {
                return each.path("message").asText();
            }
        }
        return "";
    }

    private static String text(JsonNode conditions, String type) {
        for (JsonNode each : conditions) {
            if (each.path("type").asText().equals(type)) {
                return each.path("status").asText() + " " + each.path("reason").asText();
            }
        }
        return "";
    }

    Listener listener(String name) {
        return find(ResourceType.LISTENER, name, Listener.getDefaultInstance());
    }

    RouteConfiguration routes(String name) {
        return find(ResourceType.ROUTE, name, RouteConfiguration.getDefaultInstance());
    }

    /** The routes of the one HTTP listener under a host name. */
    List<Route> routesOf(String domain) {
        return routesOf("gateway:infra/edge:80/http", domain);
    }

    List<Route> routesOf(String configuration, String domain) {
        for (VirtualHost host : routes(configuration).getVirtualHostsList()) {
            if (host.getDomainsList().contains(domain)) {
                return host.getRoutesList();
            }
        }
        return List.of();
    }

    Route onlyRoute() {
        List<Route> all = routesOf("*");
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    Cluster cluster(String name) {
        return find(ResourceType.CLUSTER, name, Cluster.getDefaultInstance());
    }

    ClusterLoadAssignment endpoints(String name) {
        return find(ResourceType.ENDPOINT, name, ClusterLoadAssignment.getDefaultInstance());
    }

    Set<String> names(ResourceType type) {
        return snapshot().resources(type).names();
    }

    Snapshot snapshot() {
        return snapshots.getOrDefault(new Name("infra", "edge"), Snapshot.EMPTY);
    }

    @SuppressWarnings("unchecked") // a prototype's own parser
    private <M extends Message> M find(ResourceType type, String name, M prototype) {
        return snapshot()
                .resources(type)
                .find(name)
                .map(resource -> {
                    try {
                        return (M) prototype
                                .getParserForType()
                                .parseFrom(resource.toAny().getValue());
                    } catch (InvalidProtocolBufferException e) {
                        throw new AssertionError(e);
                    }
                })
                .orElseThrow(() -> new AssertionError("no " + type + " " + name + " among "
                        + snapshot().resources(type).names()));
    }
}
