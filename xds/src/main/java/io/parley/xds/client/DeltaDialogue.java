package io.parley.xds.client;

import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.parley.xds.client.transport.RpcMethod;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes: requests list only names that are new or no longer wanted, and each resource has a version of its own, which a new
 * stream begins with so that the server sends only what changed meanwhile.
 */
final class DeltaDialogue implements Dialogue<DeltaDiscoveryRequest, DeltaDiscoveryResponse> {
    private final ApiVersion version;
    private final Node node;
    private final Map<ResourceType, Talk> talks = new EnumMap<>(ResourceType.class);
    private final Set<ResourceType> due = EnumSet.noneOf(ResourceType.class);

    DeltaDialogue(ApiVersion version, Node node) {
        this.version = version;
        this.node = node;
    }

    @Override
    public RpcMethod<DeltaDiscoveryRequest, DeltaDiscoveryResponse> method() {
        return RpcMethod.delta(version);
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
        talks.computeIfAbsent(type, key -> new Talk()).versions.clear();
    }

    @Override
    public Optional<Outgoing<DeltaDiscoveryRequest>> next(Function<ResourceType, Names> wanted) {
        for (ResourceType type : EnumSet.copyOf(due)) {
            due.remove(type);
            Talk talk = talks.computeIfAbsent(type, key -> new Talk());
            Names names = wanted.apply(type);
            if (talk.hasAnythingToSay(names)) {
                return Optional.of(new Outgoing<>(type, names, request(type, talk, names)));
            }
        }
        return Optional.empty();
    }

    private DeltaDiscoveryRequest request(ResourceType type, Talk talk, Names names) {
        talk.forgetAllBut(names);
        DeltaDiscoveryRequest.Builder request = DeltaDiscoveryRequest.newBuilder()
                .setNode(node)
                .setTypeUrl(type.url(version))
                .setResponseNonce(talk.nonce);
        if (talk.detail != null) {
            request.setErrorDetail(talk.detail);
        }
        if (!talk.begun) {
            request.putAllInitialResourceVersions(talk.versions);
        }
        // No name at all in the first request means all, which every server knows.
        if (talk.begun || !names.all() || !names.named().isEmpty()) {
            request.addAllResourceNamesSubscribe(difference(names.listed(), talk.told));
            request.addAllResourceNamesUnsubscribe(difference(talk.told, names.listed()));
        }
        talk.begun = true;
        talk.told = new TreeSet<>(names.listed());
        talk.nonce = "";
        talk.detail = null;
        return request.build();
    }

    @Override
    public Optional<Answer> read(DeltaDiscoveryResponse message) {
        return ResourceType.find(message.getTypeUrl())
                .filter(type -> talks.containsKey(type) && talks.get(type).begun)
                .map(type -> new Answer.Delta(type, message));
    }

    @Override
    public void conclude(DeltaDiscoveryResponse message, Answer answer, Verdict verdict) {
        Talk talk = talks.computeIfAbsent(answer.type(), key -> new Talk());
        talk.nonce = message.getNonce();
        talk.detail = verdict.detail().orElse(null);
        talk.versions.putAll(verdict.accepted());
        talk.versions.keySet().removeAll(verdict.dropped());
    }

    private static Collection<String> difference(Collection<String> from, Collection<String> without) {
        Set<String> rest = new TreeSet<>(from);
        rest.removeAll(without);
        return rest;
    }

    /** What was said about one type. */
    private static final class Talk {
        final Map<String, String> versions = new HashMap<>();
        Set<String> told = Set.of();
        String nonce = "";

        @Nullable
        Status detail;

        boolean begun;

        void restart() {
            told = Set.of();
            nonce = "";
            detail = null;
            begun = false;
        }

        boolean hasAnythingToSay(Names names) {
            return begun ? !nonce.isEmpty() || !told.equals(names.listed()) : !names.isEmpty();
        }

        /** What is no longer wanted is no longer kept, so its version must not be claimed on the next stream. */
        void forgetAllBut(Names names) {
            if (!names.all()) {
                versions.keySet().retainAll(names.named());
            }
        }
    }
}
