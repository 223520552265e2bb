package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.parley.proxy.exchange.AnswerSink;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.Unsent;
import io.parley.wire.http.Fields;

/** What a client of HTTP/1 is answered. */
final class Http1Answers implements AnswerSink {
    private final Http1Server server;
    private final Connection connection;
    private final Channel channel;
    private final ResponseWriter writer = new ResponseWriter();
    private boolean http10;
    private boolean begun;

    Http1Answers(Http1Server server, Connection connection) {
        this.server = server;
        this.connection = connection;
        this.channel = connection.channel();
    }

    /** A request has come. */
    void begin(RequestHead request) {
        http10 = request.isHttp10();
        begun = false;
        writer.begin(http10, request.isMethod("HEAD"));
    }

    /** What has come is no request. */
    void begin() {
        http10 = false;
        begun = false;
        writer.begin(false, false);
    }

    /** Whether the head of an answer has been sent, and its end has not. */
    boolean hasBegun() {
        return begun;
    }

    boolean isUntilClose() {
        return writer.isUntilClose();
    }

    @Override
    public boolean takesWire() {
        return !http10 && server.isKept();
    }

    @Override
    public void head(Fields answer, boolean last) {
        if (server.isTunnel()) {
            write(ResponseWriter.switching(channel.alloc(), answer));
            server.switched();
            return;
        }
        boolean interim = ResponseWriter.status(answer) < 200;
        if (interim && http10) {
            return;
        }
        begun |= !interim;
        ResponseWriter.Connection kept = http10 ? ResponseWriter.Connection.KEPT_ALIVE : ResponseWriter.Connection.KEPT;
        write(writer.head(
                channel.alloc(), answer, last, interim || server.isKept() ? kept : ResponseWriter.Connection.CLOSED));
        endIf(last);
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        if (content.isReadable() || last) {
            write(writer.content(channel.alloc(), content, last));
        } else {
            content.release();
        }
        endIf(last);
    }

    @Override
    public void trailers(Fields trailers) {
        write(writer.trailers(channel.alloc(), trailers));
        endIf(true);
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        begun = true;
        write(bytes);
        endIf(last);
    }

    private void write(ByteBuf bytes) {
        connection.sent(bytes.readableBytes());
        channel.write(bytes, channel.voidPromise());
    }

    private void endIf(boolean last) {
        if (last) {
            begun = false;
            server.answered();
        }
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public void abort(String because) {
        connection.ends("http-cut-off", because);
        Unsent.cutOff(channel);
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }
}
