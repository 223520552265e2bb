package io.parley.proxy.join;

import com.google.protobuf.ByteString;
import io.parley.link.CallRefusal;
import io.parley.link.config.ConfigSink;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.wire.wrpc.proto.VersionedResource;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Takes what the link brings, and remembers which version of each resource it holds, so that a reconnect brings only the difference. */
final class ConfigIntake implements ConfigSink {
    private final XdsConfig config;
    private final List<ResourceType> types;
    private final Executor executor;
    private final Runnable changed;
    private final Map<ResourceType, Map<String, String>> held = new EnumMap<>(ResourceType.class);

    /** Subscribes to {@code types}. Works on {@code executor}, which must keep the order, and calls {@code changed} there after each change. */
    ConfigIntake(XdsConfig config, List<ResourceType> types, Executor executor, Runnable changed) {
        this.config = config;
        this.types = types;
        this.executor = executor;
        this.changed = changed;
        types.forEach(type -> held.put(type, new HashMap<>()));
    }

    @Override
    public synchronized Map<String, Map<String, String>> held() {
        Map<String, Map<String, String>> byUrl = new LinkedHashMap<>();
        types.forEach(type -> byUrl.put(type.url(ApiVersion.V3), Map.copyOf(of(type))));
        return byUrl;
    }

    private Map<String, String> of(ResourceType type) {
        return held.getOrDefault(type, Map.of());
    }

    @Override
    public CompletableFuture<Void> apply(Change change) {
        return CompletableFuture.runAsync(() -> take(change), executor);
    }

    private void take(Change change) {
        ResourceType type = ResourceType.find(change.typeUrl())
                .filter(types::contains)
                .orElseThrow(() -> CallRefusal.because(change.typeUrl() + " (expected: one that was subscribed to)"));
        Map<String, ByteString> resources = new LinkedHashMap<>();
        change.changed().forEach(resource -> resources.put(resource.getName(), resource.getValue()));
        Map<String, String> refused = config.change(type, change.version(), resources, change.removed());
        remember(type, change, refused);
        changed.run();
        if (!refused.isEmpty()) {
            throw CallRefusal.because(type + " " + refused);
        }
    }

    private synchronized void remember(ResourceType type, Change change, Map<String, String> refused) {
        Map<String, String> versions = of(type);
        change.removed().forEach(versions::remove);
        for (VersionedResource resource : change.changed()) {
            if (!refused.containsKey(resource.getName())) {
                versions.put(resource.getName(), resource.getVersion());
            }
        }
    }
}
