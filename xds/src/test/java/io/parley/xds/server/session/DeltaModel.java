package io.parley.xds.server.session;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class DeltaModel extends ConvergenceTest.ClientModel {
    private final DeltaSession session = new DeltaSession(
            null,
            new SessionContext(
                    TypePolicy.xds(),
                    ClientTraits.PLAIN,
                    SessionLimits.DEFAULT,
                    SessionEvents.NONE,
                    new NameSets(),
                    ""));

    @Override
    DiscoverySession session() {
        return session;
    }

    @Override
    void ask(ResourceType type, Set<String> names) {
        Set<String> before = wanted.getOrDefault(type, Set.of());
        List<String> added =
                names.stream().filter(name -> !before.contains(name)).toList();
        List<String> given =
                before.stream().filter(name -> !names.contains(name)).toList();
        wanted.put(type, names);
        held(type).keySet().retainAll(names);
        send(new DeltaRequest(type.url(ApiVersion.V3), added, given, Map.of(), "", null));
    }

    @Override
    void receive(byte[] bytes, boolean reject) throws Exception {
        DeltaDiscoveryResponse response = DeltaDiscoveryResponse.parseFrom(bytes);
        ResourceType type = ResourceType.find(response.getTypeUrl()).orElseThrow();
        for (Resource resource : response.getResourcesList()) {
            if (wanted.getOrDefault(type, Set.of()).contains(resource.getName())) {
                held(type).put(resource.getName(), resource.getVersion());
            }
        }
        response.getRemovedResourcesList().forEach(held(type)::remove);
        ErrorDetail error = reject ? new ErrorDetail(3, "no") : null;
        send(new DeltaRequest(response.getTypeUrl(), List.of(), List.of(), Map.of(), response.getNonce(), error));
    }

    private void send(DeltaRequest request) {
        session.accept(request, now).ifPresent(refusal -> {
            throw new AssertionError(refusal);
        });
    }
}
