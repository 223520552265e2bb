package io.parley.xds.server.status;

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
import io.parley.xds.server.session.SubscriptionState.Progress;

/** A stream's state in the words of the service. */
final class ClientConfigs {
    private ClientConfigs() {}

    static ClientConfig of(StreamState state) {
        NodeIdentity node = state.stream().node();
        ClientConfig.Builder config = ClientConfig.newBuilder()
                .setNode(Node.newBuilder()
                        .setId(node.id())
                        .setCluster(node.cluster())
                        .setLocality(node.locality())
                        .setUserAgentName(node.userAgent().name())
                        .setUserAgentVersion(node.userAgent().version()));
        state.subscriptions().forEach(subscription -> add(config, subscription));
        return config.build();
    }

    private static void add(ClientConfig.Builder config, SubscriptionState subscription) {
        subscription.resources().forEach((name, version) -> {
            GenericXdsConfig.Builder resource = resource(subscription, name)
                    .setVersionInfo(version)
                    .setConfigStatus(configStatus(subscription.progress()))
                    .setClientStatus(clientStatus(subscription.progress()));
            Rejection rejection = subscription.rejection();
            if (rejection != null) {
                resource.setErrorState(UpdateFailureState.newBuilder()
                        .setDetails(rejection.message())
                        .setVersionInfo(rejection.version()));
            }
            config.addGenericXdsConfigs(resource);
        });
        for (String name : subscription.missing()) {
            config.addGenericXdsConfigs(
                    resource(subscription, name).setClientStatus(ClientResourceStatus.DOES_NOT_EXIST));
        }
    }

    private static GenericXdsConfig.Builder resource(SubscriptionState subscription, String name) {
        return GenericXdsConfig.newBuilder().setTypeUrl(subscription.typeUrl()).setName(name);
    }

    private static ConfigStatus configStatus(Progress progress) {
        return switch (progress) {
            case NOT_SENT -> ConfigStatus.NOT_SENT;
            case SENT -> ConfigStatus.STALE;
            case ACCEPTED -> ConfigStatus.SYNCED;
            case REJECTED -> ConfigStatus.ERROR;
        };
    }

    private static ClientResourceStatus clientStatus(Progress progress) {
        return switch (progress) {
            case NOT_SENT, SENT -> ClientResourceStatus.REQUESTED;
            case ACCEPTED -> ClientResourceStatus.ACKED;
            case REJECTED -> ClientResourceStatus.NACKED;
        };
    }
}
