package io.parley.sync.stream;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.sync.copy.Delivery;
import io.parley.sync.copy.KindCopies;
import io.parley.sync.copy.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for changes of kinds, beginning where the last stream ended if the peer can. */
public final class DeltaAsking implements ReceivingEnd.Asking {
    private static final Logger LOG = LoggerFactory.getLogger(DeltaAsking.class);
    private static final String ALL = "*";

    private final ReceivingEnd.Wanted wanted;
    private final Peer peer;
    private final StreamCounts counts;
    private final Consumer<byte[]> out;
    private final Map<String, Long> streams = new HashMap<>();

    /** What the other end can. */
    public record Peer(KindCopies.Start start, FirstState firstState) {}

    /** How the first state of a kind comes. */
    public enum FirstState {
        /** In one answer. */
        WHOLE,
        /** In as many as it takes; the last bears a system version. */
        IN_PIECES
    }

    DeltaAsking(ReceivingEnd.Wanted wanted, Peer peer, StreamCounts counts, Consumer<byte[]> out) {
        this.wanted = wanted;
        this.peer = peer;
        this.counts = counts;
        this.out = out;
    }

    @Override
    public void start() {
        wanted.copies().forEach((kind, copies) -> {
            KindCopies.Begun begun = copies.begin(peer.start(), wanted.fence());
            streams.put(kind, begun.stream());
            send(DeltaDiscoveryRequest.newBuilder()
                    .setNode(wanted.self())
                    .setTypeUrl(kind)
                    .addResourceNamesSubscribe(ALL)
                    .putAllInitialResourceVersions(begun.versions()));
        });
    }

    @Override
    public void receive(byte[] message) throws InvalidProtocolBufferException {
        DeltaDiscoveryResponse response = DeltaDiscoveryResponse.parseFrom(message);
        String kind = response.getTypeUrl();
        KindCopies copies = wanted.copies().get(kind);
        DeltaDiscoveryRequest.Builder answer = DeltaDiscoveryRequest.newBuilder()
                .setNode(wanted.nameOnly())
                .setTypeUrl(kind)
                .setResponseNonce(response.getNonce());
        if (copies == null) {
            send(answer.setErrorDetail(error("type_url: " + kind + " (expected: a kind that was asked for)")));
            return;
        }
        Verdict verdict = copies.take(streams.getOrDefault(kind, 0L), delivery(response));
        counts.received(kind, response.getResourcesCount() + response.getRemovedResourcesCount(), verdict);
        if (!verdict.isGood()) {
            LOG.warn("rejected some {} of {}: {}", kind, wanted.self().getId(), verdict.message());
            answer.setErrorDetail(error(verdict.message()));
        }
        send(answer);
    }

    private Delivery delivery(DeltaDiscoveryResponse response) {
        boolean completes = peer.firstState() == FirstState.WHOLE
                || !response.getSystemVersionInfo().isEmpty();
        return new Delivery(
                response.getResourcesList().stream().map(DeltaAsking::item).toList(),
                response.getRemovedResourcesList(),
                completes);
    }

    private static Delivery.Item item(Resource resource) {
        return new Delivery.Item(resource.getName(), resource.getVersion(), resource.getResource());
    }

    /** Peers look whether there is an error, not at its code, which Kuma leaves out too. */
    private static Status error(String message) {
        return Status.newBuilder().setMessage(message).build();
    }

    private void send(DeltaDiscoveryRequest.Builder request) {
        out.accept(request.build().toByteArray());
    }
}
