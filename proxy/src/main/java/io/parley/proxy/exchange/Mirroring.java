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
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Upstream;
import io.parley.proxy.pool.Waiter;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a copy of a request: whatever comes back, or does not, is nobody's business. Until then it is a request as any other to the
 * cluster that it goes to, and it is not waited for longer than the request itself would be.
 */
final class Mirroring implements Answers, Waiter, HttpLoop.Swept {
    private final HttpLoop loop;
    private final Cluster cluster;
    private final Pool pool;
    private final Fields head;
    private final ByteBuf content;
    private final boolean isHead;
    private final long due;
    private @Nullable ClientStream client;
    private boolean sent;
    private boolean over;

    private Mirroring(
            HttpLoop loop, Cluster cluster, Pool pool, Fields head, ByteBuf content, boolean isHead, Duration limit) {
        this.loop = loop;
        this.cluster = cluster;
        this.pool = pool;
        this.head = head;
        this.content = content;
        this.isHead = isHead;
        this.due = loop.now() + limit.toNanos();
    }

    /** Tells to which clusters this time a copy goes. */
    static void clusters(HttpLoop loop, RouteAction.Forward forward, Consumer<Cluster> to) {
        for (Mirror mirror : forward.mirrors()) {
            if (loop.lot() < mirror.perMillion()) {
                loop.clusters().find(mirror.cluster()).ifPresent(to);
            }
        }
    }

    /**
     * Sends a copy.
     *
     * @param received the version that is spoken if the cluster does not say
     * @param content is taken over
     * @param limit after which it is given up
     */
    static void send(
            HttpLoop loop,
            Cluster cluster,
            Version received,
            Fields head,
            ByteBuf content,
            boolean isHead,
            Duration limit) {
        LiveEndpoint endpoint = cluster.choose(List.of());
        // A WebSocket is a conversation, of which there can be no copy.
        if (endpoint == null || head.contains(Fields.PROTOCOL) || !cluster.enter(endpoint)) {
            content.release();
            return;
        }
        Version declared = cluster.http().version();
        Pool pool = loop.pools().of(cluster, endpoint, declared == Version.AS_RECEIVED ? received : declared);
        new Mirroring(loop, cluster, pool, Fields.copyOf(head), content, isHead, limit).start();
    }

    private void start() {
        loop.add(this);
        Upstream upstream = pool.take();
        if (upstream == null) {
            pool.await(this);
        } else {
            ready(upstream);
        }
    }

    @Override
    public void ready(Upstream upstream) {
        sent = true;
        ClientStream to = upstream.begin(this);
        client = to;
        if (content.isReadable()) {
            to.head(head, false);
            to.data(content, true);
        } else {
            content.release();
            to.head(head, true);
        }
        to.flush();
    }

    @Override
    public void unavailable(String because) {
        end();
    }

    @Override
    public void sweep(long now) {
        if (now - due >= 0) {
            broke();
        }
    }

    @Override
    public void drain() {}

    @Override
    public void broke() {
        ClientStream open = client;
        pool.forget(this);
        end();
        if (open != null) {
            open.cancel();
        }
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        client = null;
        if (!sent) {
            content.release();
        }
        loop.remove(this);
        cluster.leave(pool.endpoint());
    }

    private void endIf(boolean last) {
        if (last) {
            end();
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
        endIf(last);
        return Form.CONTENT;
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        bytes.release();
        endIf(last);
    }

    @Override
    public void data(ByteBuf bytes, boolean last) {
        bytes.release();
        endIf(last);
    }

    @Override
    public void trailers(Fields trailers) {
        end();
    }

    @Override
    public void flush() {}

    @Override
    public void failed(Failure failure, String detail) {
        end();
    }

    @Override
    public void writable() {}
}
