package io.parley.proxy.config.xds;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.xds.type.ResourceType;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The sound resources that a proxy holds, each as it was read. */
record Book(
        SortedMap<String, ReadListener> listeners,
        SortedMap<String, ReadRoutes> routes,
        SortedMap<String, ReadCluster> clusters,
        SortedMap<String, List<ReadEndpoint>> endpoints,
        SortedMap<String, ReadSecret> secrets) {
    /** Room for 20,000 endpoints or routes, and little enough to be read beside all else that a proxy holds. */
    static final int MOST_BYTES = 8 << 20;

    private static final int LONGEST_NAME = 2_048;

    static final Book EMPTY =
            new Book(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    Book {
        listeners = Collections.unmodifiableSortedMap(new TreeMap<>(listeners));
        routes = Collections.unmodifiableSortedMap(new TreeMap<>(routes));
        clusters = Collections.unmodifiableSortedMap(new TreeMap<>(clusters));
        endpoints = Collections.unmodifiableSortedMap(new TreeMap<>(endpoints));
        secrets = Collections.unmodifiableSortedMap(new TreeMap<>(secrets));
    }

    /** The types of which a proxy can have resources. */
    static final List<ResourceType> TYPES = List.of(
            ResourceType.SECRET,
            ResourceType.CLUSTER,
            ResourceType.ENDPOINT,
            ResourceType.ROUTE,
            ResourceType.LISTENER);

    /** Whether the proxy is a gateway, which says by its listeners what it does, and takes nothing as it comes. */
    boolean isGateway() {
        return listeners.values().stream().anyMatch(listener -> listener.gateway() != null);
    }

    /** Reads the bytes of one resource, and checks that it is called what it is sent as. */
    static Result<?> read(ResourceType type, String name, ByteString bytes) {
        if (bytes.size() > MOST_BYTES || name.length() > LONGEST_NAME) {
            return new Result.Rejected<>(List.of(new Violation(
                    "",
                    bytes.size() + " bytes with a name of " + name.length() + " letters (expected: at most "
                            + MOST_BYTES + " and " + LONGEST_NAME + ")")));
        }
        try {
            Message message = type.parser().parseFrom(bytes);
            String own = name(message);
            if (!own.equals(name)) {
                return new Result.Rejected<>(
                        List.of(new Violation("name", own + " (expected: " + name + ", as it was sent)")));
            }
            return switch (message) {
                case Listener listener -> Reading.of(listener, ListenerReader::read);
                case RouteConfiguration routes -> Reading.of(routes, ReadRoutes::read);
                case Cluster cluster -> Reading.of(cluster, ClusterReader::read);
                case ClusterLoadAssignment endpoints -> Reading.of(endpoints, EndpointReader::read);
                case Secret secret -> Reading.of(secret, ReadSecret::read);
                default -> throw new IllegalArgumentException("type: " + type + " (expected: one of " + TYPES + ")");
            };
        } catch (InvalidProtocolBufferException e) {
            return new Result.Rejected<>(List.of(new Violation("", "not a " + type + ": " + e.getMessage())));
        }
    }

    /** What a resource calls itself; empty if its bytes cannot be read. */
    static Optional<String> nameOf(ResourceType type, ByteString bytes) {
        try {
            return Optional.of(name(type.parser().parseFrom(bytes)));
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    private static String name(Message message) {
        return switch (message) {
            case Listener listener -> listener.getName();
            case RouteConfiguration routes -> routes.getName();
            case Cluster cluster -> cluster.getName();
            case ClusterLoadAssignment endpoints -> endpoints.getClusterName();
            case Secret secret -> secret.getName();
            default -> "";
        };
    }

    /** This book with other resources of one type, which {@link #read} has made. */
    Book with(ResourceType type, Map<String, ?> resources) {
        return switch (type) {
            case LISTENER -> new Book(typed(resources, ReadListener.class), routes, clusters, endpoints, secrets);
            case ROUTE -> new Book(listeners, typed(resources, ReadRoutes.class), clusters, endpoints, secrets);
            case CLUSTER -> new Book(listeners, routes, typed(resources, ReadCluster.class), endpoints, secrets);
            case ENDPOINT -> new Book(listeners, routes, clusters, lists(resources), secrets);
            case SECRET -> new Book(listeners, routes, clusters, endpoints, typed(resources, ReadSecret.class));
            case RUNTIME -> throw new IllegalArgumentException("type: " + type + " (expected: one of " + TYPES + ")");
        };
    }

    SortedMap<String, ?> of(ResourceType type) {
        return switch (type) {
            case LISTENER -> listeners;
            case ROUTE -> routes;
            case CLUSTER -> clusters;
            case ENDPOINT -> endpoints;
            case SECRET -> secrets;
            case RUNTIME -> throw new IllegalArgumentException("type: " + type + " (expected: one of " + TYPES + ")");
        };
    }

    private static <T> SortedMap<String, T> typed(Map<String, ?> resources, Class<T> type) {
        SortedMap<String, T> typed = new TreeMap<>();
        resources.forEach((name, value) -> typed.put(name, type.cast(value)));
        return typed;
    }

    private static SortedMap<String, List<ReadEndpoint>> lists(Map<String, ?> resources) {
        SortedMap<String, List<ReadEndpoint>> typed = new TreeMap<>();
        resources.forEach((name, value) -> typed.put(
                name, ((List<?>) value).stream().map(ReadEndpoint.class::cast).toList()));
        return typed;
    }
}
