package io.parley.control.policy.proxypatch;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.EnvoyJson;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.proxypatch.Match;
import io.parley.resource.policy.proxypatch.MeshProxyPatch;
import io.parley.resource.policy.proxypatch.Modification;
import io.parley.resource.policy.proxypatch.Operation;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes what was generated, last of all, in the order in which policies say so. A change that Envoy's messages do not allow is
 * left out and noted; the others are made.
 */
public final class ProxyPatch {
    public static final PolicyKind<List<Modification>> KIND = PolicyKind.proxy("MeshProxyPatch", MeshProxyPatch.READER);

    private ProxyPatch() {}

    public static void apply(Matched<List<Modification>> matched, Assembled assembled) {
        List<Modification> modifications = matched.proxy().conf().orElse(List.of());
        for (int index = 0; index < modifications.size(); index++) {
            Modification modification = modifications.get(index);
            try {
                apply(modification, assembled);
            } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
                assembled
                        .problems()
                        .add("MeshProxyPatch appendModifications[" + index + "] (" + modification.subject() + " "
                                + modification.operation() + ") is left out: " + e.getMessage());
            }
        }
    }

    private static void apply(Modification modification, Assembled assembled) throws InvalidProtocolBufferException {
        switch (modification.subject()) {
            case CLUSTER -> whole(modification, assembled.clusters(), Cluster::newBuilder);
            case LISTENER -> whole(modification, assembled.listeners(), Listener::newBuilder);
            case NETWORK_FILTER -> ListenerPatch.networkFilters(modification, assembled);
            case HTTP_FILTER -> ListenerPatch.httpFilters(modification, assembled);
            case VIRTUAL_HOST -> RoutePatch.virtualHosts(modification, assembled);
        }
    }

    @SuppressWarnings("unchecked") // a builder of M builds an M
    private static <M extends Message> void whole(
            Modification modification, Map<String, M> all, Supplier<Message.Builder> empty)
            throws InvalidProtocolBufferException {
        if (modification.operation() == Operation.ADD) {
            Message.Builder builder = empty.get();
            EnvoyJson.read(json(modification.value()), builder);
            String name =
                    (String) builder.getField(builder.getDescriptorForType().findFieldByName("name"));
            if (name.isEmpty()) {
                throw new IllegalArgumentException("name: missing (expected: a name for what is added)");
            }
            all.put(name, (M) builder.build());
            return;
        }
        for (String name : List.copyOf(all.keySet())) {
            if (!fits(modification.match(), name)) {
                continue;
            }
            if (modification.operation() == Operation.REMOVE) {
                all.remove(name);
            } else {
                M message = all.get(name);
                if (message != null) {
                    all.put(name, (M) patched(message, modification));
                }
            }
        }
    }

    /** The message with what the modification says laid over it. */
    static Message patched(Message message, Modification modification) throws InvalidProtocolBufferException {
        Message.Builder builder = message.toBuilder();
        if (modification.jsonPatches().isEmpty()) {
            Message.Builder over = message.newBuilderForType();
            EnvoyJson.read(json(modification.value()), over);
            return builder.mergeFrom(over.build()).build();
        }
        JsonNode tree = read(EnvoyJson.print(message));
        JsonNode changed = JsonPatches.apply(tree, modification.jsonPatches());
        Message.Builder fresh = message.newBuilderForType();
        EnvoyJson.read(changed.toString(), fresh);
        return fresh.build();
    }

    static boolean fits(@Nullable Match match, String name) {
        return match == null || ((match.name() == null || match.name().equals(name)) && isOrigin(match, name));
    }

    static boolean isOrigin(Match match, String name) {
        return match.origin() == null || match.origin().equals(Assembled.origin(name));
    }

    /** YAML that was checked when the policy was made, as JSON. */
    static String json(@Nullable String yaml) {
        return read(yaml == null ? "{}" : yaml).toString();
    }

    static JsonNode read(String text) {
        List<TextDocument> documents = TextReader.read(text.getBytes(StandardCharsets.UTF_8), Syntax.YAML);
        if (documents.size() == 1 && documents.getFirst() instanceof TextDocument.Read(int _, JsonNode tree)) {
            return tree;
        }
        throw new IllegalArgumentException("not one YAML document");
    }
}
