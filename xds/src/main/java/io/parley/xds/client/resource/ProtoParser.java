package io.parley.xds.client.resource;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.function.Function;

/**
 * A parser whose watchers want the message itself.
 *
 * @param check what is wrong with a message, nothing if it is sound
 */
public record ProtoParser<M extends Message>(
        ResourceType type, Parser<M> parser, Function<M, String> name, Function<M, List<String>> check)
        implements ResourceParser<M> {
    public static final ProtoParser<Listener> LISTENERS =
            unchecked(ResourceType.LISTENER, Listener.parser(), Listener::getName);
    public static final ProtoParser<RouteConfiguration> ROUTES =
            unchecked(ResourceType.ROUTE, RouteConfiguration.parser(), RouteConfiguration::getName);
    public static final ProtoParser<Cluster> CLUSTERS =
            unchecked(ResourceType.CLUSTER, Cluster.parser(), Cluster::getName);
    public static final ProtoParser<Secret> SECRETS = unchecked(ResourceType.SECRET, Secret.parser(), Secret::getName);
    public static final ProtoParser<ClusterLoadAssignment> ENDPOINTS = new ProtoParser<>(
            ResourceType.ENDPOINT,
            ClusterLoadAssignment.parser(),
            ClusterLoadAssignment::getClusterName,
            EndpointRules::violations);

    /** A parser that takes every message that has a name. */
    public static <M extends Message> ProtoParser<M> unchecked(
            ResourceType type, Parser<M> parser, Function<M, String> name) {
        return new ProtoParser<>(type, parser, name, message -> List.of());
    }

    @Override
    public Parsed<M> parse(ByteString body) {
        M message;
        try {
            message = parser.parseFrom(body);
        } catch (InvalidProtocolBufferException e) {
            return new Parsed.Invalid<>("", List.of("not a " + type + ": " + e.getMessage()));
        }
        List<String> violations = check.apply(message);
        return violations.isEmpty()
                ? new Parsed.Valid<>(name.apply(message), message)
                : new Parsed.Invalid<>(name.apply(message), violations);
    }
}
