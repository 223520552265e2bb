package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.Mirror;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.ClientStream;
import io.parley.proxy.pool.Upstream;
import io.parley.proxy.pool.Waiter;
import io.parley.wire.http.Fields;
import java.util.List;
import java.util.function.Consumer;

/** Sends a copy of a request and forgets it: whatever comes back, or does not, is nobody's business. */
final class Mirroring implements Answers, Waiter {
    private static final int MILLION = 1_000_000;

    private final Fields head;
    private final ByteBuf content;
    private final boolean isHead;
    private boolean sent;

    private Mirroring(Fields head, ByteBuf content, boolean isHead) {
        this.head = head;
        this.content = content;
        this.isHead = isHead;
    }

    /** Tells to which clusters this time a copy goes. */
    static void clusters(HttpLoop loop, RouteAction.Forward forward, Consumer<Cluster> to) {
        for (Mirror mirror : forward.mirrors()) {
            if (loop.chance().nextInt(MILLION) < mirror.perMillion()) {
                loop.clusters().find(mirror.cluster()).ifPresent(to);
            }
        }
    }

    /**
     * Sends a copy.
     *
     * @param received the version that is spoken if the cluster does not say
     * @param content is taken over
     */
    static void send(HttpLoop loop, Cluster cluster, Version received, Fields head, ByteBuf content, boolean isHead) {
        LiveEndpoint endpoint = cluster.choose(List.of());
        // A WebSocket is a conversation, of which there can be no copy.
        if (endpoint == null || head.contains(Fields.PROTOCOL)) {
            content.release();
            return;
        }
        Mirroring mirroring = new Mirroring(Fields.copyOf(head), content, isHead);
        Version declared = cluster.http().version();
        var pool = loop.pools().of(cluster, endpoint, declared == Version.AS_RECEIVED ? received : declared);
        Upstream upstream = pool.take();
        if (upstream == null) {
            pool.await(mirroring);
        } else {
            mirroring.ready(upstream);
        }
    }

    @Override
    public void ready(Upstream upstream) {
        sent = true;
        ClientStream client = upstream.begin(this);
        if (content.isReadable()) {
            client.head(head, false);
            client.data(content, true);
        } else {
            content.release();
            client.head(head, true);
        }
        client.flush();
    }

    @Override
    public void unavailable(String because) {
        if (!sent) {
            sent = true;
            content.release();
        }
    }

    @Override
    public void mismatched(String found) {
        unavailable(found);
    }

    @Override
    public boolean isHeadRequest() {
        return isHead;
    }

    @Override
    public void informed(Answer answer) {}

    @Override
    public Form answered(Answer answer, boolean last) {
        return Form.CONTENT;
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        bytes.release();
    }

    @Override
    public void data(ByteBuf bytes, boolean last) {
        bytes.release();
    }

    @Override
    public void trailers(Fields trailers) {}

    @Override
    public void flush() {}

    @Override
    public void failed(Failure failure, String detail) {}

    @Override
    public void writable() {}
}
