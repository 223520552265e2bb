package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
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

    /** Closes with a reset, past any handler that would still like to say something. */
    static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.unsafe().voidPromise());
        }
    }
}
