package io.parley.proxy.tcp;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.AddressText;
import io.parley.proxy.Failures;
import io.parley.proxy.config.Protocol;
import java.util.List;

/**
 * Ends connections that cannot go on, so that the client notices: by an alert where TLS has begun, else by a reset, never by what looks like a finished
 * answer.
 */
final class Refusal {
    /** A fatal alert, unrecognized_name (RFC 6066 section 3). */
    private static final byte[] UNKNOWN_NAME = {0x15, 3, 3, 0, 2, 2, 112};

    private Refusal() {}

    static void refuse(Session session, Machinery machinery, String cause, String detail) {
        tell(session, machinery, cause, detail);
        reset(session.downstream());
    }

    /** Refuses a client whose handshake has failed, of which TLS has yet to tell it. */
    static void refuseHandshake(Session session, Machinery machinery, Throwable cause) {
        tell(session, machinery, "tls-handshake", Failures.text(cause));
        Farewell.to(session.downstream());
    }

    /** Ends the connection of a client that has asked, in its ClientHello, for a name that nobody here has. */
    static void turnAway(Channel channel) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(UNKNOWN_NAME), channel.voidPromise());
        Farewell.to(channel);
    }

    /** Counts and logs that a connection is refused, whose client is going to be told so in its own protocol. */
    static void tell(Session session, Machinery machinery, String cause, String detail) {
        session.refused(Ending.refused(cause, detail));
        Accepted accepted = session.accepted();
        machinery
                .telemetry()
                .refused(
                        accepted.direction(),
                        whose(session),
                        cause,
                        detail + ", from " + AddressText.of(accepted.client()) + " to "
                                + AddressText.of(accepted.destination()),
                        machinery.surroundings().ticker().getAsLong());
    }

    /** Members are told apart; strangers, who can be as many as they like, are not. */
    private static String whose(Session session) {
        List<SpiffeId> names = session.names();
        String listener = session.accepted().listener();
        return names.isEmpty() ? listener : listener + " by " + names.getFirst();
    }

    /** The client has left without a word. Where nobody declared what it would say, that is what detection has come to. */
    static void clientGone(Session session, Machinery machinery, Protocol declared) {
        if (session.isRefused()) {
            return;
        }
        Accepted accepted = session.accepted();
        if (declared == Protocol.DETECT) {
            long took = machinery.surroundings().ticker().getAsLong() - accepted.at();
            machinery.telemetry().detected(accepted.direction(), "error", took);
        }
        refuse(session, machinery, "client-gone", "the client closed before it said anything");
    }

    /** Closes with a reset, past any handler that would still like to say something. */
    static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.unsafe().voidPromise());
        }
    }
}
