package io.parley.control.policy.proxypatch;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.EnvoyJson;
import io.parley.resource.policy.proxypatch.Match;
import io.parley.resource.policy.proxypatch.Modification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Changes to virtual hosts, which stand in route configurations of their own or inside a listener. */
final class RoutePatch {
    private RoutePatch() {}

    static void virtualHosts(Modification modification, Assembled assembled) throws InvalidProtocolBufferException {
        for (Map.Entry<String, RouteConfiguration> entry : assembled.routes().entrySet()) {
            if (isMeant(modification.match(), entry.getKey())) {
                entry.setValue(changed(entry.getValue(), modification));
            }
        }
        ListenerPatch.managers(modification, assembled, manager -> {
            boolean meant = manager.hasRouteConfig()
                    && isMeant(modification.match(), manager.getRouteConfig().getName());
            return meant
                    ? manager.toBuilder()
                            .setRouteConfig(changed(manager.getRouteConfig(), modification))
                            .build()
                    : manager;
        });
    }

    private static RouteConfiguration changed(RouteConfiguration routes, Modification modification)
            throws InvalidProtocolBufferException {
        List<VirtualHost> hosts = new ArrayList<>(routes.getVirtualHostsList());
        String name = modification.match() == null ? null : modification.match().name();
        switch (modification.operation()) {
            case ADD -> {
                VirtualHost.Builder host = VirtualHost.newBuilder();
                EnvoyJson.read(ProxyPatch.json(modification.value()), host);
                hosts.add(host.build());
            }
            case REMOVE -> hosts.removeIf(host -> name == null || host.getName().equals(name));
            default -> {
                for (int at = 0; at < hosts.size(); at++) {
                    if (name == null || hosts.get(at).getName().equals(name)) {
                        hosts.set(at, (VirtualHost) ProxyPatch.patched(hosts.get(at), modification));
                    }
                }
            }
        }
        return routes.toBuilder().clearVirtualHosts().addAllVirtualHosts(hosts).build();
    }

    private static boolean isMeant(@org.jspecify.annotations.Nullable Match match, String routes) {
        return match == null
                || ((match.container() == null || match.container().equals(routes))
                        && ProxyPatch.isOrigin(match, routes));
    }
}
