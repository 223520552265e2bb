package io.parley.xds.server;

import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.Rejection;
import io.parley.xds.server.session.SessionEvents;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes what happens on one stream to the metrics, the listener and, where people should look, the log. */
record StreamEvents(StreamInfo stream, StreamListener listener, ServerMetrics metrics) implements SessionEvents {
    private static final Logger log = LoggerFactory.getLogger(StreamEvents.class);

    @Override
    public void sent(EncodedResponse response) {
        metrics.pushed(response);
    }

    @Override
    public void acknowledged(String typeUrl, String version, Duration after, @Nullable Rejection standing) {
        metrics.acknowledged(typeUrl, after);
        listener.acknowledged(stream, typeUrl, version, standing);
    }

    @Override
    public void rejected(String typeUrl, Rejection rejection) {
        metrics.rejected(typeUrl);
        log.warn(
                "node {} rejected {} version {} and stays with {}: {}",
                stream.node().id(),
                typeUrl,
                rejection.version(),
                rejection.lastGood().isEmpty() ? "nothing" : rejection.lastGood(),
                rejection.message());
        listener.rejected(stream, typeUrl, rejection);
    }

    @Override
    public void givenUp(String typeUrl) {
        listener.givenUp(stream, typeUrl);
    }

    @Override
    public void staleNonce(String typeUrl) {
        metrics.expiredNonce(typeUrl);
    }

    @Override
    public void oversized(String typeUrl, int bytes) {
        log.warn(
                "response of {} bytes of {} for node {} cannot be split; gRPC clients refuse more than 4 MiB unless"
                        + " told otherwise: narrow down what the node gets, or use delta",
                bytes,
                typeUrl,
                stream.node().id());
    }
}
