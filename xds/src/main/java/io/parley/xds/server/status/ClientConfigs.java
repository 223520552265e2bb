package io.parley.xds.server.status;

import com.google.protobuf.Timestamp;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.ClustersConfigDump;
import io.envoyproxy.envoy.admin.v3.ListenersConfigDump;
import io.envoyproxy.envoy.admin.v3.RoutesConfigDump;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.envoyproxy.envoy.service.status.v3.PerXdsConfig;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.StreamState;
import io.parley.xds.server.session.SubscriptionState;
import io.parley.xds.server.session.SubscriptionState.Holding;
import io.parley.xds.server.session.SubscriptionState.Rejected;
import io.parley.xds.server.session.SubscriptionState.ResourceState;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A stream's state in the words of the service, in the version that is spoken. */
record ClientConfigs(Instant now, ApiVersion api) {
    private static final List<ConfigStatus> WORST_FIRST =
            List.of(ConfigStatus.ERROR, ConfigStatus.NOT_SENT, ConfigStatus.STALE, ConfigStatus.SYNCED);

    @SuppressWarnings("deprecation") // in v3, xds_config is; v2 has nothing else
    ClientConfig of(StreamState state) {
        NodeIdentity node = state.stream().node();
        ClientConfig.Builder config = ClientConfig.newBuilder()
                .setNode(Node.newBuilder()
                        .setId(node.id())
                        .setCluster(node.cluster())
                        .setLocality(node.locality())
                        .setUserAgentName(node.userAgent().name())
                        .setUserAgentVersion(node.userAgent().version()));
        for (SubscriptionState subscription : state.subscriptions()) {
            for (ResourceState resource : subscription.resources()) {
                config.addGenericXdsConfigs(resource(subscription, resource));
            }
            if (api == ApiVersion.V2) {
                ofType(subscription).ifPresent(config::addXdsConfig);
            }
        }
        return config.build();
    }

    /** What clients of v2 know: one status for all of a type, and no more types than these. */
    private static Optional<PerXdsConfig> ofType(SubscriptionState subscription) {
        PerXdsConfig.Builder config = PerXdsConfig.newBuilder();
        switch (ResourceType.find(subscription.typeUrl()).orElse(null)) {
            case LISTENER ->
                config.setListenerConfig(ListenersConfigDump.newBuilder().setVersionInfo(subscription.accepted()));
            case CLUSTER ->
                config.setClusterConfig(ClustersConfigDump.newBuilder().setVersionInfo(subscription.accepted()));
            case ROUTE -> config.setRouteConfig(RoutesConfigDump.getDefaultInstance());
            case null, default -> {
                return Optional.empty();
            }
        }
        Set<ConfigStatus> statuses = EnumSet.noneOf(ConfigStatus.class);
        subscription.resources().forEach(resource -> statuses.add(configStatus(resource.holding())));
        ConfigStatus worst = WORST_FIRST.stream()
                .filter(statuses::contains)
                .findFirst()
                .orElse(subscription.accepted().isEmpty() ? ConfigStatus.NOT_SENT : ConfigStatus.SYNCED);
        return Optional.of(config.setStatus(worst).build());
    }

    private GenericXdsConfig resource(SubscriptionState subscription, ResourceState resource) {
        GenericXdsConfig.Builder config = GenericXdsConfig.newBuilder()
                .setTypeUrl(subscription.typeUrl())
                .setName(resource.name())
                .setVersionInfo(resource.version())
                .setConfigStatus(configStatus(resource.holding()))
                .setClientStatus(clientStatus(resource.holding()));
        Duration accepted = subscription.sinceAccepted();
        if (accepted != null && !resource.version().isEmpty()) {
            config.setLastUpdated(ago(accepted));
        }
        Rejected rejected = resource.rejected();
        if (rejected != null) {
            config.setErrorState(UpdateFailureState.newBuilder()
                    .setDetails(rejected.message())
                    .setVersionInfo(rejected.version())
                    .setLastUpdateAttempt(ago(rejected.since())));
        }
        return config.build();
    }

    private Timestamp ago(Duration time) {
        Instant then = now.minus(time);
        return Timestamp.newBuilder()
                .setSeconds(then.getEpochSecond())
                .setNanos(then.getNano())
                .build();
    }

    /** Whether what this server has for the client and what the client has are the same. */
    private static ConfigStatus configStatus(Holding holding) {
        return switch (holding) {
            case REQUESTED -> ConfigStatus.NOT_SENT;
            case MISSING, ACCEPTED -> ConfigStatus.SYNCED;
            case BEHIND -> ConfigStatus.STALE;
            case REJECTED -> ConfigStatus.ERROR;
        };
    }

    /** How the client would tell it of itself: one that is behind has accepted what it has. */
    private static ClientResourceStatus clientStatus(Holding holding) {
        return switch (holding) {
            case REQUESTED -> ClientResourceStatus.REQUESTED;
            case MISSING -> ClientResourceStatus.DOES_NOT_EXIST;
            case ACCEPTED, BEHIND -> ClientResourceStatus.ACKED;
            case REJECTED -> ClientResourceStatus.NACKED;
        };
    }
}
