package io.parley.control.policy.timeout;

import static io.parley.control.draft.Protos.duration;

import io.envoyproxy.envoy.config.core.v3.HttpProtocolOptions;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.parley.control.draft.ClusterDraft;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.draft.RouteDraft;
import io.parley.control.model.Protocol;
import io.parley.control.policy.Matched;
import io.parley.control.policy.Merged;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.timeout.MeshTimeout;
import io.parley.resource.policy.timeout.Timeouts;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sets timeouts everywhere, whether a policy asks for them or not: a proxy without any would wait for ever. What it receives has
 * twice the time of what it sends, so that the caller's proxy, which knows more, gives up first.
 */
public final class TimeoutEffect implements PolicyEffect<Timeouts> {
    public static final PolicyKind<Timeouts> KIND = PolicyKind.traffic("MeshTimeout", MeshTimeout.READER);

    private static final Timeouts OUTBOUND = new Timeouts(
            Duration.ofSeconds(5),
            Duration.ofHours(1),
            new Timeouts.Http(Duration.ofSeconds(15), Duration.ofMinutes(30), null, null, null));
    private static final Timeouts INBOUND = new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofHours(2),
            new Timeouts.Http(Duration.ZERO, Duration.ofHours(1), null, null, null));

    /** Settings, and what holds where they say nothing. */
    private record Effective(@Nullable Timeouts set, Timeouts usual) {
        static Effective of(Merged<Timeouts> merged, Timeouts usual) {
            return new Effective(merged.conf().orElse(null), usual);
        }

        @Nullable
        Duration get(Function<Timeouts, @Nullable Duration> field) {
            Duration value = set == null ? null : field.apply(set);
            return value == null ? field.apply(usual) : value;
        }

        @Nullable
        Duration http(Function<Timeouts.Http, @Nullable Duration> field) {
            return get(timeouts -> timeouts.http() == null ? null : field.apply(timeouts.http()));
        }

        boolean setsRequestTimeout() {
            return set != null && set.http() != null && set.http().requestTimeout() != null;
        }
    }

    @Override
    public PolicyKind<Timeouts> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<Timeouts> matched, ProxyDraft draft) {
        for (ClusterDraft cluster : draft.clusters()) {
            cluster(Effective.of(matched.to(cluster.destination()), OUTBOUND), cluster);
        }
        draft.outbounds().forEach(outbound -> outbound(matched, outbound, spoken(draft, outbound)));
        draft.inbounds().forEach(inbound -> inbound(matched, inbound));
    }

    /** A gRPC program without a proxy speaks gRPC, whatever the service is declared to speak. */
    private static Protocol spoken(ProxyDraft draft, OutboundDraft outbound) {
        return draft.flavor() == Flavor.GRPC
                ? Protocol.GRPC
                : outbound.protocol().value();
    }

    private static void outbound(Matched<Timeouts> matched, OutboundDraft outbound, Protocol spoken) {
        Effective timeouts = Effective.of(matched.to(outbound.destination()), OUTBOUND);
        set(timeouts.get(Timeouts::idleTimeout), outbound.tcp()::setIdleTimeout);
        manager(timeouts, outbound.http());
        for (RouteDraft route : outbound.routes()) {
            String policy = route.policy();
            Effective ofRoute =
                    policy == null ? timeouts : Effective.of(matched.to(outbound.destination(), policy), OUTBOUND);
            route(ofRoute, spoken, route.route());
        }
    }

    private static void inbound(Matched<Timeouts> matched, InboundDraft inbound) {
        Effective timeouts = Effective.of(matched.inbound(inbound.inbound()), INBOUND);
        set(timeouts.get(Timeouts::idleTimeout), inbound.tcp()::setIdleTimeout);
        manager(timeouts, inbound.http());
        route(timeouts, inbound.protocol().value(), inbound.route());
        cluster(timeouts, inbound.cluster());
    }

    private static void cluster(Effective timeouts, ClusterDraft cluster) {
        set(timeouts.get(Timeouts::connectionTimeout), cluster.cluster()::setConnectTimeout);
        common(timeouts, cluster.http().getCommonHttpProtocolOptionsBuilder());
    }

    private static void manager(Effective timeouts, HttpConnectionManager.Builder http) {
        common(timeouts, http.getCommonHttpProtocolOptionsBuilder());
        set(timeouts.http(Timeouts.Http::streamIdleTimeout), http::setStreamIdleTimeout);
        set(timeouts.http(Timeouts.Http::requestHeadersTimeout), http::setRequestHeadersTimeout);
    }

    private static void common(Effective timeouts, HttpProtocolOptions.Builder options) {
        set(timeouts.get(Timeouts::idleTimeout), options::setIdleTimeout);
        set(timeouts.http(Timeouts.Http::maxStreamDuration), options::setMaxStreamDuration);
        set(timeouts.http(Timeouts.Http::maxConnectionDuration), options::setMaxConnectionDuration);
    }

    private static void route(Effective timeouts, Protocol protocol, Route.Builder route) {
        if (!route.hasRoute()) {
            return;
        }
        // A gRPC stream may last for ever: 15 seconds are for who asks for them.
        boolean endless = protocol == Protocol.GRPC && !timeouts.setsRequestTimeout();
        Duration request = endless ? Duration.ZERO : timeouts.http(Timeouts.Http::requestTimeout);
        set(request, route.getRouteBuilder()::setTimeout);
        set(timeouts.http(Timeouts.Http::streamIdleTimeout), route.getRouteBuilder()::setIdleTimeout);
    }

    private static void set(@Nullable Duration value, Function<com.google.protobuf.Duration, ? extends Object> setter) {
        if (value != null) {
            var _ = setter.apply(duration(value));
        }
    }
}
