package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.pool.Answers.Form;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** The client's half of an exchange: what a server answers, as the route and the policies want the client to have it. */
final class Returning implements Pace.Way {
    private final Exchange exchange;
    private final Sending sending;
    private final AnswerSink sink;
    private @Nullable Pace pace;
    private long sent;

    Returning(Exchange exchange, Sending sending, AnswerSink sink) {
        this.exchange = exchange;
        this.sending = sending;
        this.sink = sink;
    }

    /** Another request begins. */
    void reset() {
        pace = null;
        sent = 0;
    }

    /** The content may not come faster than this. */
    void limit(long bytesPerSecond) {
        pace = new Pace(bytesPerSecond, this, exchange::later);
    }

    /** Bytes of content that the client was sent, as far as the answer was looked into. */
    long sent() {
        return sent;
    }

    void informed(Answer answer) {
        exchange.deadlines().progressed();
        sink.head(answer.model(), false);
        sink.flush();
    }

    Form answered(Answer answer, boolean last) {
        exchange.answered(answer);
        if (pace == null && exchange.mayReturnUntouched() && answer.isPlain() && sink.takesWire()) {
            return Form.WIRE;
        }
        Fields head = answer.model();
        exchange.shapeAnswer(head);
        if (last) {
            exchange.conclude();
        }
        sink.head(head, last);
        return Form.CONTENT;
    }

    void wire(ByteBuf bytes, boolean last) {
        exchange.deadlines().progressed();
        if (last) {
            exchange.conclude();
        }
        sink.wire(bytes, last);
        holdServerIfFull(last);
    }

    /** Content from the server. */
    void content(ByteBuf content, boolean last) {
        if (pace == null) {
            data(content, last);
            return;
        }
        pace.data(content, last);
        if (pace.isFull()) {
            sending.request().setReading(false);
        }
    }

    /** Trailers from the server. */
    void end(Fields trailers) {
        if (pace == null) {
            trailers(trailers);
        } else {
            pace.trailers(trailers);
        }
    }

    @Override
    public boolean isOpen() {
        return sink.isWritable();
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        exchange.deadlines().progressed();
        sent += content.readableBytes();
        if (last) {
            exchange.conclude();
        }
        sink.data(content, last);
        holdServerIfFull(last);
    }

    @Override
    public void trailers(Fields trailers) {
        exchange.conclude();
        sink.trailers(trailers);
    }

    @Override
    public void flush() {
        sink.flush();
    }

    @Override
    public void resume() {
        if (sink.isWritable()) {
            sending.request().setReading(true);
        }
    }

    /** The client takes bytes again. */
    void clientWritable() {
        if (pace == null || !pace.isFull()) {
            sending.request().setReading(true);
        }
    }

    private void holdServerIfFull(boolean last) {
        if (!last && !sink.isWritable()) {
            sink.flush();
            if (!sink.isWritable()) {
                sending.request().setReading(false);
            }
        }
    }

    /** The exchange is over: nothing more is sent. */
    void end() {
        if (pace != null) {
            pace.release();
        }
    }
}
