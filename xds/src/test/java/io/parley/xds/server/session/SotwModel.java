package io.parley.xds.server.session;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class SotwModel extends ConvergenceTest.ClientModel {
    private final SotwSession session = new SotwSession(
            null,
            new SessionContext(
                    TypePolicy.xds(),
                    ClientTraits.PLAIN,
                    SessionLimits.DEFAULT,
                    SessionEvents.NONE,
                    new NameSets(),
                    ""));
    private final Map<ResourceType, String> nonces = new HashMap<>();

    @Override
    DiscoverySession session() {
        return session;
    }

    @Override
    void ask(ResourceType type, Set<String> names) {
        wanted.put(type, names);
        held(type).keySet().retainAll(names);
        send(type, null);
    }

    private void send(ResourceType type, @Nullable ErrorDetail error) {
        NameList names = NameList.of(wanted.getOrDefault(type, Set.of()).toArray(String[]::new));
        String nonce = nonces.getOrDefault(type, "");
        session.accept(new SotwRequest(type.url(ApiVersion.V3), "", nonce, names, error), now)
                .ifPresent(refusal -> {
                    throw new AssertionError(refusal);
                });
    }

    /** A rejecting client takes what it was sent all the same: it found fault with something else (gRFC A46). */
    @Override
    void receive(byte[] bytes, boolean reject) throws Exception {
        DiscoveryResponse response = DiscoveryResponse.parseFrom(bytes);
        ResourceType type = ResourceType.find(response.getTypeUrl()).orElseThrow();
        nonces.put(type, response.getNonce());
        Map<String, String> received = new HashMap<>();
        for (Any any : response.getResourcesList()) {
            Message message = type.parser().parseFrom(any.getValue());
            EncodedResource resource = EncodedResource.of(message);
            if (wanted.getOrDefault(type, Set.of()).contains(resource.name())) {
                received.put(resource.name(), resource.version());
            }
        }
        if (type == ResourceType.CLUSTER) {
            held(type).clear();
        }
        held(type).putAll(received);
        send(type, reject ? new ErrorDetail(3, "no") : null);
    }

    /** Endpoints go by their cluster's going, never by absence: what no longer exists may linger. */
    @Override
    Map<String, String> relevantView(ResourceType type) {
        Map<String, String> relevant = new HashMap<>(held(type));
        if (type == ResourceType.ENDPOINT) {
            relevant.keySet().retainAll(snapshot.resources(type).names());
        }
        return relevant;
    }
}
