package io.parley.control.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import java.net.SocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells that a connection ended for a fault of its peer, which may be anybody: a line for each kind of fault, once a minute. */
final class FaultLog extends Http2ConnectionAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);
    private static final OncePerMinute TOLD = new OncePerMinute(System::nanoTime);

    private final SocketAddress peer;

    FaultLog(SocketAddress peer) {
        this.peer = peer;
    }

    @Override
    public void onGoAwaySent(int lastStream, long code, ByteBuf reason) {
        Http2Error error = Http2Error.valueOf(code);
        if (error != Http2Error.NO_ERROR && TOLD.mayTell(String.valueOf(error))) {
            LOG.warn("a connection of HTTP/2 from {} was ended: {} ({})", peer, error, reason.toString(US_ASCII));
        }
    }
}
