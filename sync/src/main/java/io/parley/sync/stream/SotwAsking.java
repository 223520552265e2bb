package io.parley.sync.stream;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.parley.sync.copy.Delivery;
import io.parley.sync.copy.KindCopies;
import io.parley.sync.copy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for all of each kind, again and again: version 1 of the protocol. */
final class SotwAsking implements ReceivingEnd.Asking {
    private static final Logger LOG = LoggerFactory.getLogger(SotwAsking.class);

    private final ReceivingEnd.Wanted wanted;
    private final StreamCounts counts;
    private final Consumer<byte[]> out;

    SotwAsking(ReceivingEnd.Wanted wanted, StreamCounts counts, Consumer<byte[]> out) {
        this.wanted = wanted;
        this.counts = counts;
        this.out = out;
    }

    @Override
    public void start() {
        for (String kind : wanted.copies().keySet()) {
            send(DiscoveryRequest.newBuilder().setNode(wanted.self()).setTypeUrl(kind));
        }
    }

    @Override
    public void receive(byte[] message) throws InvalidProtocolBufferException {
        DiscoveryResponse response = DiscoveryResponse.parseFrom(message);
        String kind = response.getTypeUrl();
        DiscoveryRequest.Builder answer = DiscoveryRequest.newBuilder()
                .setNode(wanted.nameOnly())
                .setTypeUrl(kind)
                .setVersionInfo(response.getVersionInfo())
                .setResponseNonce(response.getNonce());
        KindCopies copies = wanted.copies().get(kind);
        if (copies == null) {
            send(answer.setErrorDetail(
                    Status.newBuilder().setMessage("type_url: " + kind + " (expected: a kind that was asked for)")));
            return;
        }
        KindCopies.Begun begun = copies.begin(KindCopies.Start.FROM_NOTHING, wanted.fence());
        Verdict verdict = copies.take(begun.stream(), new Delivery(items(response), List.of(), true));
        counts.received(kind, response.getResourcesCount(), verdict);
        if (!verdict.isGood()) {
            LOG.warn("rejected some {} of {}: {}", kind, wanted.self().getId(), verdict.message());
            answer.setErrorDetail(Status.newBuilder().setMessage(verdict.message()));
        }
        send(answer);
    }

    /** Resources have no name of their own here; a number stands for those that cannot be read. */
    private static List<Delivery.Item> items(DiscoveryResponse response) {
        List<Delivery.Item> items = new ArrayList<>();
        for (Any resource : response.getResourcesList()) {
            items.add(new Delivery.Item("resources[" + items.size() + "]", "", resource));
        }
        return items;
    }

    private void send(DiscoveryRequest.Builder request) {
        out.accept(request.build().toByteArray());
    }
}
