package io.parley.link.config;

import io.netty.util.concurrent.Future;
import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.PluginVersion;
import io.parley.wire.wrpc.proto.ReportMetadataRequest;
import io.parley.wire.wrpc.proto.ReportMetadataResponse;
import io.parley.wire.wrpc.proto.SyncConfigRequest;
import io.parley.wire.wrpc.proto.SyncConfigResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code config} v1 on the node: takes the whole configuration, and answers and pings when it is in force. */
public final class ConfigClientV1 {
    private static final Duration PING_EVERY = Duration.ofSeconds(30);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final Link link;
    private final WorldSink sink;
    private CompletableFuture<Void> applied = CompletableFuture.completedFuture(null);
    private @Nullable Future<?> pings;
    private long version = -1;

    private ConfigClientV1(Link link, WorldSink sink) {
        this.link = link;
        this.sink = sink;
    }

    /** What the node reports as installed is up to its program. */
    public static ClientService service(WorldSink sink, List<PluginVersion> installed, ClientService.Need need) {
        return new ClientService(Services.CONFIG_NAME, Services.V1, Services.CONFIG, need, link -> {
            var client = new ConfigClientV1(link, sink);
            client.report(installed);
            return new ServiceHandler(client::close).on(Services.SYNC_CONFIG, client::synced);
        });
    }

    private void report(List<PluginVersion> installed) {
        var request = ReportMetadataRequest.newBuilder().addAllPlugins(installed);
        var _ = link.call(Services.REPORT_METADATA, request.build(), ANSWER_WITHIN)
                .whenComplete((answer, failure) -> reported(answer, failure));
    }

    private void reported(@Nullable ReportMetadataResponse answer, @Nullable Throwable failure) {
        if (answer == null || !answer.hasOk()) {
            String reason = answer == null ? String.valueOf(failure) : answer.getError();
            link.close(new CloseReason(CloseReason.POLICY_VIOLATION, "metadata refused: " + reason));
            return;
        }
        long every = PING_EVERY.toMillis();
        pings = link.loop().scheduleAtFixedRate(this::ping, every, every, TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<SyncConfigResponse> synced(SyncConfigRequest request) {
        // Versions count up on one connection; what overtook a newer one is done with.
        if (request.getVersion() <= version) {
            return CompletableFuture.completedFuture(
                    SyncConfigResponse.newBuilder().setAccepted(true).build());
        }
        byte[] json = Gunzip.unpack(request.getConfig());
        version = request.getVersion();
        // One after the other, and after a refused one all the same.
        applied = applied.exceptionally(_ -> null).thenCompose(_ -> sink.apply(json, request.getConfigHash()));
        return applied.thenApply(_ -> {
            ping();
            return SyncConfigResponse.newBuilder().setAccepted(true).build();
        });
    }

    private void ping() {
        var _ = link.call(
                Services.PING_CP,
                PingCPRequest.newBuilder().setHash(sink.hash()).build(),
                ANSWER_WITHIN);
    }

    private void close() {
        if (pings != null) {
            pings.cancel(false);
        }
    }
}
