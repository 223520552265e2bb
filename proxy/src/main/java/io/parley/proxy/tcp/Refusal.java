package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.telemetry.Telemetry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends connections that cannot go on, so that the client notices: by a reset, never by what looks like a finished answer. */
final class Refusal {
    private static final Logger LOG = LoggerFactory.getLogger(Refusal.class);

    private Refusal() {}

    static void refuse(Session session, Telemetry telemetry, String cause, String detail) {
        session.ends(Ending.refused(cause, detail));
        telemetry.error(session.accepted().direction(), cause).increment();
        LOG.info(
                "{} connection from {} to {} refused: {} ({})",
                session.accepted().direction(),
                session.accepted().client(),
                session.accepted().destination(),
                cause,
                detail);
        reset(session.downstream());
    }

    /** The client has left without a word. Where nobody declared what it would say, that is what detection has come to. */
    static void clientGone(Session session, Machinery machinery, Protocol declared) {
        Accepted accepted = session.accepted();
        if (declared == Protocol.DETECT) {
            long took = machinery.surroundings().ticker().getAsLong() - accepted.at();
            machinery.telemetry().detected(accepted.direction(), "error", took);
        }
        refuse(session, machinery.telemetry(), "client-gone", "the client closed before it said anything");
    }

    /** Closes with a reset, past any handler that would still like to say something. */
    static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.unsafe().voidPromise());
        }
    }
}
