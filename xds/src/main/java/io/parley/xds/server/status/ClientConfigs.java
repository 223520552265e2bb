package io.parley.xds.server.status;

import com.google.protobuf.Timestamp;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.StreamState;
import io.parley.xds.server.session.Rejection;
import io.parley.xds.server.session.SubscriptionState;
import io.parley.xds.server.session.SubscriptionState.Holding;
import io.parley.xds.server.session.SubscriptionState.ResourceState;
import java.time.Duration;
import java.time.Instant;

/** A stream's state in the words of the service. */
record ClientConfigs(Instant now) {
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
        }
        return config.build();
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
        Rejection rejection = subscription.rejection();
        if (rejection != null && resource.holding() == Holding.REJECTED) {
            config.setErrorState(failure(subscription, rejection.message(), resource.rejectedVersion()));
        }
        return config.build();
    }

    private UpdateFailureState failure(SubscriptionState subscription, String details, String version) {
        UpdateFailureState.Builder failure =
                UpdateFailureState.newBuilder().setDetails(details).setVersionInfo(version);
        Duration rejected = subscription.sinceRejected();
        if (rejected != null) {
            failure.setLastUpdateAttempt(ago(rejected));
        }
        return failure.build();
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
