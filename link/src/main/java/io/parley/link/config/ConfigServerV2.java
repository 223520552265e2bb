package io.parley.link.config;

import io.parley.agreement.version.OfferedVersion;
import io.parley.link.CallRefusal;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.server.NodeLink;
import io.parley.link.server.ServiceBinding;
import io.parley.wire.wrpc.proto.SubscribeRequest;
import io.parley.wire.wrpc.proto.SubscribeResponse;
import io.parley.wire.wrpc.proto.TypeSubscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code config} v2 on the control plane: what changed, type by type, in the order in which the node asked for them. */
public final class ConfigServerV2 {
    private static final int MAX_TYPES = 64;

    private final NodeLink node;
    private final ConfigSource source;
    private final ConfigListener listener;
    private final Pushes pushes;
    private final List<Watch> watches = new ArrayList<>();

    private ConfigServerV2(NodeLink node, ConfigSource source, ConfigListener listener) {
        this.node = node;
        this.source = source;
        this.listener = listener;
        this.pushes = new Pushes(node, listener);
    }

    public static ServiceBinding binding(ConfigSource source, ConfigListener listener) {
        return new ServiceBinding(
                Services.CONFIG_NAME,
                new OfferedVersion(Services.V2, "incremental configuration"),
                Services.CONFIG,
                node -> new ConfigServerV2(node, source, listener).handler());
    }

    private ServiceHandler handler() {
        return new ServiceHandler(() -> watches.forEach(Watch::close)).on(Services.SUBSCRIBE, this::subscribe);
    }

    private CompletableFuture<SubscribeResponse> subscribe(SubscribeRequest request) {
        List<String> types = new ArrayList<>();
        for (TypeSubscription type : request.getTypesList()) {
            if (pushes.has(type.getTypeUrl()) || pushes.count() >= MAX_TYPES) {
                throw CallRefusal.because(
                        type.getTypeUrl() + " (expected: each type once, and at most " + MAX_TYPES + " of them)");
            }
            pushes.add(type.getTypeUrl(), type.getInitialResourceVersionsMap());
            types.add(type.getTypeUrl());
        }
        if (!types.isEmpty()) {
            listener.asked(node, List.copyOf(types));
            watches.add(source.watch(node, types, pushes::offer));
        }
        return CompletableFuture.completedFuture(SubscribeResponse.getDefaultInstance());
    }
}
