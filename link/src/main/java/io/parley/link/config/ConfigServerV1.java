package io.parley.link.config;

import io.netty.util.concurrent.EventExecutor;
import io.parley.agreement.version.OfferedVersion;
import io.parley.link.CallRefusal;
import io.parley.link.PeerText;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.server.NodeLink;
import io.parley.link.server.ServiceBinding;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.PingCPResponse;
import io.parley.wire.wrpc.proto.ReportMetadataResponse;
import io.parley.wire.wrpc.proto.SyncConfigError;
import io.parley.wire.wrpc.proto.SyncConfigRequest;
import io.parley.wire.wrpc.proto.SyncConfigResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code config} v1 on the control plane: the state of the world. A node that reported its metadata is sent the configuration
 * whenever its last hash is another. Nodes of other makes answer before they apply, so only a hash in a ping proves that they did, and
 * one that is not the latest shows that it has to be sent again.
 */
public final class ConfigServerV1 {
    /** What listeners are told as the type. */
    public static final String WORLD = "world";

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
    private static final Duration BETWEEN_PUSHES = Duration.ofSeconds(1);
    private static final Duration AFTER_REFUSAL = Duration.ofSeconds(5);

    private final NodeLink node;
    private final WorldSource source;
    private final ConfigListener listener;
    private final EventExecutor loop;
    private @Nullable Watch watch;
    private @Nullable World latest;
    private String nodeHash = World.NO_HASH;
    private @Nullable String lastSent;
    private long version;
    /** Whether there is a reason to look at what the node lacks: something new, or a ping that shows another hash. */
    private boolean due;
    /** A push is under way, or the pause after one. */
    private boolean busy;

    private ConfigServerV1(NodeLink node, WorldSource source, ConfigListener listener) {
        this.node = node;
        this.source = source;
        this.listener = listener;
        this.loop = node.link().loop();
    }

    public static ServiceBinding binding(WorldSource source, ConfigListener listener) {
        return new ServiceBinding(
                Services.CONFIG_NAME,
                new OfferedVersion(Services.V1, "wRPC configuration"),
                Services.CONFIG,
                node -> new ConfigServerV1(node, source, listener).handler());
    }

    private ServiceHandler handler() {
        return new ServiceHandler(this::close)
                .on(Services.REPORT_METADATA, _ -> reported())
                .on(Services.PING_CP, this::pinged);
    }

    private void close() {
        if (watch != null) {
            watch.close();
        }
    }

    private CompletableFuture<ReportMetadataResponse> reported() {
        if (watch == null) {
            listener.asked(node, List.of(WORLD));
            watch = source.watch(node, world -> loop.execute(() -> offer(world)));
        }
        return CompletableFuture.completedFuture(
                ReportMetadataResponse.newBuilder().setOk("valid").build());
    }

    private CompletableFuture<PingCPResponse> pinged(PingCPRequest ping) {
        if (!World.isHash(ping.getHash())) {
            throw new CallRefusal(
                    ErrorCode.INVALID_PAYLOAD,
                    "hash: " + ping.getHash().length() + " characters (expected: 32 hexadecimal ones)");
        }
        if (!ping.getHash().equals(nodeHash)) {
            nodeHash = ping.getHash();
            listener.applied(node, WORLD, nodeHash);
        }
        if (latest != null && !latest.hash().equals(nodeHash)) {
            due = true;
            pump();
        }
        return CompletableFuture.completedFuture(PingCPResponse.getDefaultInstance());
    }

    private void offer(World world) {
        latest = world;
        due = true;
        pump();
    }

    private void pump() {
        World world = latest;
        if (world == null || !due || busy) {
            return;
        }
        due = false;
        if (holds(world)) {
            return;
        }
        busy = true;
        lastSent = world.hash();
        var request = SyncConfigRequest.newBuilder()
                .setConfig(world.gzip())
                .setVersion(++version)
                .setConfigHash(world.hash())
                .setHashes(world.hashes());
        var _ = node.link()
                .call(Services.SYNC_CONFIG, request.build(), ANSWER_WITHIN)
                .whenComplete((answer, failure) -> finished(world, answer, failure));
    }

    /** What was sent last counts too: the node may be about to replace by it what it pinged last. */
    private boolean holds(World world) {
        return world.hash().equals(nodeHash)
                && (lastSent == null || world.hash().equals(lastSent));
    }

    private void finished(World world, @Nullable SyncConfigResponse answer, @Nullable Throwable failure) {
        if (node.link().closed().isDone()) {
            return;
        }
        if (answer != null && answer.getAccepted()) {
            restFor(BETWEEN_PUSHES);
            return;
        }
        String reason = answer == null
                ? text(failure)
                : answer.getErrorsList().stream()
                        .map(ConfigServerV1::text)
                        .collect(Collectors.joining(", ", "not accepted: ", ""));
        listener.refused(node, WORLD, world.hash(), PeerText.cut(reason));
        restFor(AFTER_REFUSAL);
    }

    private void restFor(Duration pause) {
        var _ = loop.schedule(
                () -> {
                    busy = false;
                    pump();
                },
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private static String text(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause == null ? "no answer" : String.valueOf(cause.getMessage());
    }

    private static String text(SyncConfigError error) {
        return error.getEntity() + " " + error.getId() + " " + error.getErrType();
    }
}
