package io.parley.link.config;

import io.parley.link.CallRefusal;
import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.PushRequest;
import io.parley.wire.wrpc.proto.PushResponse;
import io.parley.wire.wrpc.proto.SubscribeRequest;
import io.parley.wire.wrpc.proto.TypeSubscription;
import io.parley.wire.wrpc.proto.VersionedResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** {@code config} v2 on the node: says what it holds, takes the difference, and answers when that is in force. */
public final class ConfigClientV2 {
    private static final Duration SUBSCRIBE_WITHIN = Duration.ofSeconds(10);
    private static final long MAX_PARTS_BYTES = 32L << 20;

    private final ConfigSink sink;
    private final Map<String, Parts> begun = new HashMap<>();
    private long begunBytes;

    private ConfigClientV2(ConfigSink sink) {
        this.sink = sink;
    }

    public static ClientService service(ConfigSink sink, ClientService.Need need) {
        return new ClientService(Services.CONFIG_NAME, Services.V2, Services.CONFIG, need, link -> {
            var client = new ConfigClientV2(sink);
            client.subscribe(link);
            return new ServiceHandler(() -> {}).on(Services.PUSH, client::pushed);
        });
    }

    private void subscribe(Link link) {
        var request = SubscribeRequest.newBuilder();
        sink.held()
                .forEach((type, versions) -> request.addTypes(
                        TypeSubscription.newBuilder().setTypeUrl(type).putAllInitialResourceVersions(versions)));
        var _ = link.call(Services.SUBSCRIBE, request.build(), SUBSCRIBE_WITHIN).exceptionally(failure -> {
            link.close(new CloseReason(CloseReason.POLICY_VIOLATION, "cannot subscribe: " + failure.getMessage()));
            return null;
        });
    }

    private CompletableFuture<PushResponse> pushed(PushRequest push) {
        Parts parts = begun.get(push.getTypeUrl());
        if (parts == null || !parts.version.equals(push.getSystemVersion())) {
            // What there is belongs to a change that was broken off: its end will never come.
            drop(push.getTypeUrl());
            parts = new Parts(push.getSystemVersion());
            begun.put(push.getTypeUrl(), parts);
        }
        parts.add(push);
        begunBytes += push.getSerializedSize();
        if (begunBytes > MAX_PARTS_BYTES) {
            drop(push.getTypeUrl());
            throw CallRefusal.because(
                    "parts of changes that are not complete: more than " + MAX_PARTS_BYTES + " bytes");
        }
        if (push.getMore()) {
            return CompletableFuture.completedFuture(PushResponse.getDefaultInstance());
        }
        drop(push.getTypeUrl());
        return sink.apply(whole(push, parts.pushes)).thenApply(_ -> PushResponse.getDefaultInstance());
    }

    private void drop(String typeUrl) {
        Parts dropped = begun.remove(typeUrl);
        if (dropped != null) {
            begunBytes -= dropped.bytes;
        }
    }

    private static ConfigSink.Change whole(PushRequest last, List<PushRequest> parts) {
        List<VersionedResource> changed =
                parts.stream().flatMap(part -> part.getResourcesList().stream()).toList();
        List<String> removed = parts.stream()
                .flatMap(part -> part.getRemovedResourcesList().stream())
                .toList();
        return new ConfigSink.Change(last.getTypeUrl(), last.getSystemVersion(), changed, removed);
    }

    /** What has come of one change. */
    private static final class Parts {
        final String version;
        final List<PushRequest> pushes = new ArrayList<>();
        long bytes;

        Parts(String version) {
            this.version = version;
        }

        void add(PushRequest push) {
            pushes.add(push);
            bytes += push.getSerializedSize();
        }
    }
}
