package io.parley.proxy.tcp;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.parley.proxy.telemetry.TcpSeries;

/** The two joined ends of a connection: counts what passes, and ends both when one ends. */
final class Relays {
    private final Session session;
    private final Channel downstream;
    private final Channel upstream;
    private final TcpSeries clientSide;
    private final TcpSeries serverSide;
    private final Runnable serverSpoke;
    private boolean answered;
    private boolean letGo;

    Relays(Session session, Channel upstream, TcpSeries clientSide, TcpSeries serverSide, Runnable serverSpoke) {
        this.session = session;
        this.downstream = session.downstream();
        this.upstream = upstream;
        this.clientSide = clientSide;
        this.serverSide = serverSide;
        this.serverSpoke = serverSpoke;
    }

    /** Lets the server's bytes through to the client. */
    void listenToServer() {
        clientSide.opened().increment();
        clientSide.open().increment();
        serverSide.opened().increment();
        serverSide.open().increment();
        downstream.closeFuture().addListener(_ -> {
            clientSide.open().decrement();
            serverSide.open().decrement();
            closeAfterWriting(upstream);
        });
        RelayHandler relay = new RelayHandler(downstream, new RelayHandler.Watch() {
            @Override
            public void passed(int bytes) {
                session.addSent(bytes);
                serverSide.read().add(bytes);
                clientSide.written().add(bytes);
                if (!answered) {
                    answered = true;
                    serverSpoke.run();
                }
            }

            @Override
            public void ended() {
                var _ = session.endedBy(Ending.SERVER_CLOSED);
            }

            @Override
            public void closed() {
                if (!letGo) {
                    session.ends(session.endedBy(Ending.SERVER_CLOSED));
                    closeAfterWriting(downstream);
                }
            }

            @Override
            public void failed(Throwable cause) {
                reset(cause);
            }
        });
        upstream.pipeline().addLast(relay);
        relay.startReading((DuplexChannel) upstream);
    }

    /** Lets the client's bytes through to the server, those that are held first. */
    void forwardClient(DetectHandler held) {
        RelayHandler relay = new RelayHandler(upstream, new RelayHandler.Watch() {
            @Override
            public void passed(int bytes) {
                session.addReceived(bytes);
                clientSide.read().add(bytes);
                serverSide.written().add(bytes);
            }

            @Override
            public void ended() {
                var _ = session.endedBy(Ending.CLIENT_CLOSED);
            }

            @Override
            public void closed() {
                session.ends(session.endedBy(Ending.CLIENT_CLOSED));
            }

            @Override
            public void failed(Throwable cause) {
                reset(cause);
            }
        });
        downstream.pipeline().addLast(relay);
        held.letGo();
        relay.startReading((DuplexChannel) downstream);
    }

    /** The server turned out not to be needed; its end is no longer the client's. */
    void letServerGo() {
        letGo = true;
        upstream.close();
    }

    /** A reset on one side is a reset on the other: what was cut off must not look finished. */
    private void reset(Throwable cause) {
        session.ends(Ending.reset(cause));
        Refusal.reset(upstream);
        Refusal.reset(downstream);
    }

    private static void closeAfterWriting(Channel channel) {
        if (channel.isActive()) {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }
}
