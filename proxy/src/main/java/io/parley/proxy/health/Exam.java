package io.parley.proxy.health;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.ClientStream;
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Upstream;
import io.parley.proxy.pool.Waiter;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request of a health check, and as much of its answer as matters. */
final class Exam implements Answers, Waiter {
    /** {@code HealthCheckResponse} with SERVING in field 1, in a frame of gRPC. */
    private static final byte[] SERVING = {0, 0, 0, 0, 2, 0x08, 0x01};

    private final Http2Headers head;
    private final Consumer<Exam> done;
    private final ByteBuf content;
    private final byte[] begin = new byte[SERVING.length];
    private @Nullable ClientStream stream;
    private @Nullable String grpcStatus;
    private boolean over;
    private int received;
    private int status;

    private Exam(Http2Headers head, ByteBuf content, Consumer<Exam> done) {
        this.head = head;
        this.content = content;
        this.done = done;
    }

    /** Asks, and tells {@code done} once, be there an answer or none; what is returned calls it off. */
    static Runnable of(Pool pool, Http2Headers head, ByteBuf content, Consumer<Exam> done) {
        Exam exam = new Exam(head, content, done);
        Upstream upstream = pool.take();
        if (upstream == null) {
            pool.await(exam);
        } else {
            exam.ready(upstream);
        }
        return () -> {
            pool.forget(exam);
            exam.giveUp();
        };
    }

    /** 0 if there was no answer. */
    int status() {
        return status;
    }

    /** Whether gRPC's health service says that it serves. */
    boolean isServing() {
        return status == 200 && "0".equals(grpcStatus) && received == SERVING.length && Arrays.equals(begin, SERVING);
    }

    private void giveUp() {
        ClientStream open = stream;
        stream = null;
        if (!over && open == null) {
            content.release();
        }
        over = true;
        if (open != null) {
            open.cancel();
        }
    }

    private void finish() {
        if (!over) {
            over = true;
            stream = null;
            done.accept(this);
        }
    }

    @Override
    public void ready(Upstream upstream) {
        ClientStream to = upstream.begin(this);
        stream = to;
        boolean bodyless = !content.isReadable();
        to.head(head, bodyless);
        if (bodyless) {
            content.release();
        } else {
            to.data(content, true);
        }
        to.flush();
    }

    @Override
    public void unavailable(String because) {
        content.release();
        finish();
    }

    @Override
    public void mismatched(String found) {
        unavailable(found);
    }

    @Override
    public boolean isHeadRequest() {
        return false;
    }

    @Override
    public void informed(Answer answer) {}

    @Override
    public Form answered(Answer answer, boolean last) {
        status = answer.status();
        grpcStatus = answer.field("grpc-status");
        if (last) {
            finish();
        }
        return Form.CONTENT;
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        data(bytes, last);
    }

    @Override
    public void data(ByteBuf bytes, boolean last) {
        int room = Math.min(bytes.readableBytes(), Math.max(0, begin.length - received));
        bytes.getBytes(bytes.readerIndex(), begin, Math.min(received, begin.length), room);
        received += bytes.readableBytes();
        bytes.release();
        if (last) {
            finish();
        }
    }

    @Override
    public void trailers(Http2Headers trailers) {
        CharSequence said = trailers.get("grpc-status");
        grpcStatus = said == null ? null : said.toString();
        finish();
    }

    @Override
    public void flush() {}

    @Override
    public void failed(Failure failure, String detail) {
        status = 0;
        finish();
    }

    @Override
    public void writable() {}
}
