package io.parley.xds.client;

import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** State of the world: each request lists all names, and carries the version in use and the nonce of the last answer. */
final class SotwDialogue implements Dialogue<DiscoveryRequest, DiscoveryResponse> {
    private final ApiVersion version;
    private final Node node;
    private final Map<ResourceType, Talk> talks = new EnumMap<>(ResourceType.class);
    private final Set<ResourceType> due = EnumSet.noneOf(ResourceType.class);

    SotwDialogue(ApiVersion version, Node node) {
        this.version = version;
        this.node = node;
    }

    @Override
    public RpcMethod<DiscoveryRequest, DiscoveryResponse> method() {
        return RpcMethod.sotw(version);
    }

    @Override
    public void restart() {
        talks.values().forEach(Talk::restart);
        due.addAll(EnumSet.allOf(ResourceType.class));
    }

    @Override
    public void changed(ResourceType type) {
        due.add(type);
    }

    @Override
    public void forget(ResourceType type) {
        talks.computeIfAbsent(type, key -> new Talk()).version = "";
    }

    @Override
    public Optional<Outgoing<DiscoveryRequest>> next(Function<ResourceType, Names> wanted) {
        for (ResourceType type : EnumSet.copyOf(due)) {
            due.remove(type);
            Talk talk = talks.computeIfAbsent(type, key -> new Talk());
            Names names = wanted.apply(type);
            if (talk.begun || !names.isEmpty()) {
                return Optional.of(new Outgoing<>(type, names, request(type, talk, names)));
            }
        }
        return Optional.empty();
    }

    private DiscoveryRequest request(ResourceType type, Talk talk, Names names) {
        DiscoveryRequest.Builder request = DiscoveryRequest.newBuilder()
                .setNode(node)
                .setTypeUrl(type.url(version))
                .setVersionInfo(talk.version)
                .setResponseNonce(talk.nonce)
                .addAllResourceNames(talk.list(names));
        if (talk.detail != null) {
            request.setErrorDetail(talk.detail);
        }
        talk.begun = true;
        talk.detail = null;
        return request.build();
    }

    @Override
    public Optional<Answer> read(DiscoveryResponse message) {
        return ResourceType.find(message.getTypeUrl())
                .filter(type -> talks.containsKey(type) && talks.get(type).begun)
                .map(type -> new Answer.Sotw(type, message));
    }

    @Override
    public void conclude(DiscoveryResponse message, Answer answer, Verdict verdict) {
        Talk talk = talks.computeIfAbsent(answer.type(), key -> new Talk());
        talk.nonce = message.getNonce();
        talk.detail = verdict.detail().orElse(null);
        if (verdict.isAccepted()) {
            talk.version = message.getVersionInfo();
        }
    }

    /** What was said about one type. */
    private static final class Talk {
        String version = "";
        String nonce = "";

        @Nullable
        Status detail;

        boolean begun;
        boolean named;

        void restart() {
            nonce = "";
            detail = null;
            begun = false;
            named = false;
        }

        /** No name at all means all, which every server knows, until the first name is listed on the stream. */
        Collection<String> list(Names names) {
            boolean plainAll = names.all() && names.named().isEmpty() && !named;
            Collection<String> list = plainAll ? Set.of() : names.listed();
            named |= !list.isEmpty();
            return list;
        }
    }
}
