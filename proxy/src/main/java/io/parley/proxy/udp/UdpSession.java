package io.parley.proxy.udp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.parley.proxy.balance.Attempt;
import java.net.InetSocketAddress;

/** One client, and the socket by which the endpoint that was chosen for it answers. Used on one event loop only. */
final class UdpSession extends SimpleChannelInboundHandler<DatagramPacket> {
    private final UdpListener listener;
    private final InetSocketAddress client;
    private final Attempt attempt;
    private final Channel upstream;
    private long activeAt;

    UdpSession(UdpListener listener, InetSocketAddress client, Attempt attempt, Channel upstream, long now) {
        this.listener = listener;
        this.client = client;
        this.attempt = attempt;
        this.upstream = upstream;
        this.activeAt = now;
    }

    /** Whether datagrams can still go where the first one went. */
    boolean isUsable() {
        return upstream.isOpen() && !attempt.endpoint().isRetired();
    }

    boolean isSilentSince(long moment) {
        return activeAt - moment < 0;
    }

    /** Sends a datagram to the endpoint; the content is taken over. */
    void send(ByteBuf content, long now) {
        activeAt = now;
        if (upstream.isWritable()) {
            upstream.writeAndFlush(content, upstream.voidPromise());
        } else {
            content.release();
            listener.dropped("endpoint-busy");
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, DatagramPacket answer) {
        activeAt = listener.now();
        listener.answer(client, answer.content().retain());
    }

    /** The machine of the endpoint says that nobody is there: the next datagram may go elsewhere. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        listener.dropped("unreachable");
        listener.forget(client);
    }

    void close() {
        attempt.closed();
        upstream.close();
    }
}
