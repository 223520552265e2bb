package io.parley.control.insight;

import io.parley.control.node.NodeKey;
import io.parley.link.PeerText;
import io.parley.xds.server.StreamInfo;
import io.parley.xds.server.StreamListener;
import io.parley.xds.server.session.Rejection;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Listens to what xDS clients do that proved which data plane they are, and has it written down. */
public final class StreamInsights implements StreamListener {
    private final Map<Long, NodeState> states = new ConcurrentHashMap<>();
    private final Function<StreamInfo, Optional<NodeKey>> nodes;
    private final InsightWriter writer;
    private final InstantSource time;

    /** The function tells which data plane a stream belongs to, if any. */
    public StreamInsights(Function<StreamInfo, Optional<NodeKey>> nodes, InsightWriter writer, InstantSource time) {
        this.nodes = nodes;
        this.writer = writer;
        this.time = time;
    }

    @Override
    public void opened(StreamInfo stream) {
        nodes.apply(stream).ifPresent(node -> {
            NodeState state = NodeState.connected(UUID.randomUUID().toString(), stream.method(), time.instant(), null);
            states.put(stream.id(), state);
            writer.write(node, state);
        });
    }

    @Override
    public void acknowledged(StreamInfo stream, String typeUrl, String version, @Nullable Rejection standing) {
        change(stream, state -> {
            NodeState.TypeState applying = state.type(typeUrl).applying(version, time.instant());
            return state.with(typeUrl, standing == null ? applying : applying.still(shown(standing)));
        });
    }

    @Override
    public void rejected(StreamInfo stream, String typeUrl, Rejection rejection) {
        change(stream, state -> state.with(typeUrl, state.type(typeUrl).refusing(shown(rejection), time.instant())));
    }

    @Override
    public void givenUp(StreamInfo stream, String typeUrl) {
        change(stream, state -> state.with(typeUrl, state.type(typeUrl).still("")));
    }

    static String shown(Rejection rejection) {
        return PeerText.cut(rejection.version() + ": " + rejection.message());
    }

    @Override
    public void closed(StreamInfo stream) {
        change(stream, state -> state.disconnected(time.instant()));
        states.remove(stream.id());
    }

    private void change(StreamInfo stream, UnaryOperator<NodeState> change) {
        NodeState changed = states.computeIfPresent(stream.id(), (_, state) -> change.apply(state));
        if (changed != null) {
            nodes.apply(stream).ifPresent(node -> writer.write(node, changed));
        }
    }
}
