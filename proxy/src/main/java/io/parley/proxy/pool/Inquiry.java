package io.parley.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.parley.wire.http.Fields;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request of the proxy's own, and as much of its answer as matters. */
public final class Inquiry implements Answers, Waiter {
    private static final AsciiString GRPC_STATUS = AsciiString.cached("grpc-status");
    private static final int KEPT = 64;

    private final Fields head;
    private final Consumer<Inquiry> done;
    private final ByteBuf content;
    private final byte[] begin = new byte[KEPT];
    private @Nullable ClientStream stream;
    private @Nullable String grpcStatus;
    private boolean over;
    private int received;
    private int status;

    private Inquiry(Fields head, ByteBuf content, Consumer<Inquiry> done) {
        this.head = head;
        this.content = content;
        this.done = done;
    }

    /** Asks, and tells {@code done} once, be there an answer or none; what is returned calls it off. */
    public static Runnable of(Pool pool, Fields head, ByteBuf content, Consumer<Inquiry> done) {
        Inquiry inquiry = new Inquiry(head, content, done);
        Upstream upstream = pool.take();
        if (upstream == null) {
            pool.await(inquiry);
        } else {
            inquiry.ready(upstream);
        }
        return () -> {
            pool.forget(inquiry);
            inquiry.giveUp();
        };
    }

    /** 0 if there was no answer. */
    public int status() {
        return status;
    }

    /** What gRPC says of the outcome; null if it says nothing. */
    public @Nullable String grpcStatus() {
        return grpcStatus;
    }

    /** Whether this is the whole content of the answer; it is short. */
    public boolean isContent(byte[] expected) {
        return received == expected.length && Arrays.equals(Arrays.copyOf(begin, expected.length), expected);
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
        grpcStatus = answer.field(GRPC_STATUS.toString());
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
    public void trailers(Fields trailers) {
        AsciiString said = trailers.value(GRPC_STATUS);
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
