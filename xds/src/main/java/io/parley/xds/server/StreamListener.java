package io.parley.xds.server;

import io.parley.xds.server.session.Rejection;
import org.jspecify.annotations.Nullable;

/** Is told what happens to streams. Called on their threads: must not block. */
public interface StreamListener {
    /** Tells nobody. */
    StreamListener NONE = new StreamListener() {};

    default void opened(StreamInfo stream) {}

    /**
     * The client accepted an answer.
     *
     * @param version of that answer, which need not be the newest
     * @param standing the last rejection of something else, which the client was sent nothing better for; null if there is none
     */
    default void acknowledged(StreamInfo stream, String typeUrl, String version, @Nullable Rejection standing) {}

    /** The client rejected an answer and stays with what it had: somebody should look. */
    default void rejected(StreamInfo stream, String typeUrl, Rejection rejection) {}

    /** The client no longer wants what it rejected, and nothing else stands rejected. It has accepted no answer by that. */
    default void givenUp(StreamInfo stream, String typeUrl) {}

    default void closed(StreamInfo stream) {}

    /** Tells this one first, then the other. */
    default StreamListener and(StreamListener other) {
        StreamListener first = this;
        return new StreamListener() {
            @Override
            public void opened(StreamInfo stream) {
                first.opened(stream);
                other.opened(stream);
            }

            @Override
            public void acknowledged(StreamInfo stream, String typeUrl, String version, @Nullable Rejection standing) {
                first.acknowledged(stream, typeUrl, version, standing);
                other.acknowledged(stream, typeUrl, version, standing);
            }

            @Override
            public void rejected(StreamInfo stream, String typeUrl, Rejection rejection) {
                first.rejected(stream, typeUrl, rejection);
                other.rejected(stream, typeUrl, rejection);
            }

            @Override
            public void givenUp(StreamInfo stream, String typeUrl) {
                first.givenUp(stream, typeUrl);
                other.givenUp(stream, typeUrl);
            }

            @Override
            public void closed(StreamInfo stream) {
                first.closed(stream);
                other.closed(stream);
            }
        };
    }
}
