package io.parley.link.client;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.link.LinkLimits;
import io.parley.link.Services;
import io.parley.link.negotiation.AnswerCheck;
import io.parley.link.negotiation.NegotiationMessages;
import io.parley.link.peer.InboundMessages;
import io.parley.link.peer.WrpcPeer;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One connection of a node, from the upgrade on: it negotiates, and only if it believes the answer do the services run. */
final class LinkConnection extends ChannelInboundHandlerAdapter {
    private final List<ClientService> services;
    private final NegotiationRequest request;
    private final LinkLimits limits;
    private final InstantSource time;
    private final Outcome outcome;
    private final AgreedRouter router = new AgreedRouter();
    private @Nullable WrpcPeer peer;
    private @Nullable InboundMessages messages;
    private @Nullable String failure;

    /** Told how the connection goes. */
    interface Outcome {
        void agreed(AnswerCheck.Agreed agreed, WrpcPeer peer);

        /** Once, whatever happened before. */
        void ended(String reason);
    }

    LinkConnection(
            List<ClientService> services,
            NegotiationRequest request,
            LinkLimits limits,
            InstantSource time,
            Outcome outcome) {
        this.services = services;
        this.request = request;
        this.limits = limits;
        this.time = time;
        this.outcome = outcome;
    }

    /** The first failure is the cause; what follows are its consequences. */
    void fail(String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (event) {
            case WebSocketClientProtocolHandler.ClientHandshakeStateEvent state -> {
                switch (state) {
                    case HANDSHAKE_COMPLETE -> upgraded(ctx);
                    case HANDSHAKE_TIMEOUT -> fail("no answer to the upgrade in time");
                    case HANDSHAKE_ISSUED -> {}
                }
            }
            case IdleStateEvent idle -> quiet(ctx, idle.state());
            default -> ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        try {
            if (messages != null && peer != null && msg instanceof WebSocketFrame frame) {
                read(ctx, frame, messages, peer);
            }
        } finally {
            ReferenceCountUtil.release(msg);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(ClientTls.whyNot(cause.getCause() == null ? cause : cause.getCause()));
        var _ = ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (peer != null) {
            peer.ended(new CloseReason(CloseReason.ABNORMAL, "connection lost"));
            fail(peer.closed().resultNow().toString());
        }
        router.close();
        outcome.ended(failure == null ? "connection lost before the upgrade" : failure);
    }

    private void upgraded(ChannelHandlerContext ctx) {
        var opened = new WrpcPeer(ctx.channel().eventLoop(), new NettyWire(ctx.channel()), time, limits, router);
        peer = opened;
        messages = new InboundMessages(opened, limits);
        var _ = opened.call(Services.NEGOTIATE, NegotiationMessages.write(request), limits.handshake())
                .whenComplete((response, thrown) -> answered(opened, response, thrown));
    }

    private void answered(WrpcPeer opened, @Nullable NegotiateServicesResponse response, @Nullable Throwable thrown) {
        if (response == null) {
            giveUp(opened, "negotiation failed: " + text(thrown));
            return;
        }
        switch (AnswerCheck.of(request.services(), response)) {
            case AnswerCheck.Failed(String reason) -> giveUp(opened, reason);
            case AnswerCheck.Agreed agreed -> {
                Optional<String> missing = missing(agreed);
                if (missing.isPresent()) {
                    giveUp(opened, missing.get());
                } else {
                    begin(opened, agreed);
                }
            }
        }
    }

    private void begin(WrpcPeer opened, AnswerCheck.Agreed agreed) {
        try {
            router.open(opened, services, agreed.accepted());
        } catch (RuntimeException e) {
            giveUp(opened, "a service of this node cannot start: " + e);
            return;
        }
        outcome.agreed(agreed, opened);
    }

    private Optional<String> missing(AnswerCheck.Agreed agreed) {
        return services.stream()
                .filter(service -> service.need() == ClientService.Need.REQUIRED)
                .filter(service -> !agreed.accepted().containsKey(service.name()))
                .map(service -> "control plane does not serve " + service.name() + ": "
                        + agreed.rejected().get(service.name()))
                .findFirst();
    }

    private void giveUp(WrpcPeer opened, String reason) {
        fail(reason);
        opened.close(new CloseReason(CloseReason.POLICY_VIOLATION, reason));
    }

    private static void read(ChannelHandlerContext ctx, WebSocketFrame frame, InboundMessages messages, WrpcPeer peer) {
        switch (frame) {
            case BinaryWebSocketFrame _, ContinuationWebSocketFrame _ ->
                messages.data(
                        frame.content().nioBuffer(),
                        frame.isFinalFragment()
                                ? InboundMessages.Position.LAST
                                : InboundMessages.Position.MORE_TO_COME);
            case TextWebSocketFrame _ -> messages.text();
            case CloseWebSocketFrame close -> {
                peer.ended(reason(close));
                // RFC 6455, 5.5.1: a close frame is answered by one.
                var _ = ctx.writeAndFlush(new CloseWebSocketFrame(CloseReason.NORMAL, ""))
                        .addListener(ChannelFutureListener.CLOSE);
            }
            default -> {}
        }
    }

    /** Netty's code of an empty frame is -1. */
    static CloseReason reason(CloseWebSocketFrame close) {
        if (close.statusCode() < 0) {
            return new CloseReason(CloseReason.NO_STATUS, "without a reason");
        }
        return new CloseReason(close.statusCode(), close.reasonText());
    }

    private void quiet(ChannelHandlerContext ctx, IdleState state) {
        if (state == IdleState.READER_IDLE) {
            fail("nothing heard for " + limits.silence().toSeconds() + " s");
            var _ = ctx.close();
        } else if (peer != null) {
            var _ = ctx.writeAndFlush(new PingWebSocketFrame());
        }
    }

    private static String text(@Nullable Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause == null ? "no answer" : String.valueOf(cause.getMessage());
    }
}
