package io.parley.proxy.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.parley.proxy.pool.ClientStream;
import io.parley.wire.http.Fields;

/** What a server of HTTP/1 is sent. */
final class Http1Requests implements ClientStream {
    private final Http1Client client;
    private final Channel channel;
    private final RequestWriter writer = new RequestWriter();
    private boolean done;

    Http1Requests(Http1Client client, Channel channel) {
        this.client = client;
        this.channel = channel;
    }

    void begin() {
        done = false;
        writer.reset();
    }

    /** Whether the whole request was sent. */
    boolean isDone() {
        return done;
    }

    RequestWriter writer() {
        return writer;
    }

    @Override
    public void head(Fields request, boolean last) {
        done = last;
        channel.write(writer.head(channel.alloc(), request, last), channel.voidPromise());
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        done = last;
        if (last && writer.isTunnel()) {
            channel.writeAndFlush(content).addListener(_ -> ((DuplexChannel) channel).shutdownOutput());
        } else {
            channel.write(writer.content(channel.alloc(), content, last), channel.voidPromise());
        }
    }

    @Override
    public void trailers(Fields trailers) {
        done = true;
        channel.write(writer.trailers(channel.alloc(), trailers), channel.voidPromise());
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        done = last;
        channel.write(bytes, channel.voidPromise());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public void cancel() {
        client.abandon();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void setReading(boolean on) {
        channel.config().setAutoRead(on);
    }
}
