package io.parley.sync.stream;

import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.Rejection;
import io.parley.xds.server.session.SessionEvents;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells of one stream what was sent and what became of it. */
final class SentCounts implements SessionEvents {
    private final StreamCounts counts;
    private final Unrepaired unrepaired;

    SentCounts(StreamCounts counts, Unrepaired.Answers answers) {
        this.counts = counts;
        this.unrepaired = new Unrepaired(answers);
    }

    @Override
    public void sent(EncodedResponse response) {
        unrepaired.sent(response.typeUrl(), response.names());
        counts.sent(response.typeUrl(), response.resourceCount(), response.size());
    }

    @Override
    public void acknowledged(String typeUrl, String version, Duration after, @Nullable Rejection standing) {
        counts.acknowledged(typeUrl, after);
        if (unrepaired.taken(typeUrl)) {
            counts.inStep(typeUrl);
        }
    }

    @Override
    public void rejected(String typeUrl, Rejection rejection) {
        unrepaired.rejected(typeUrl, rejection.message());
        counts.rejected(typeUrl, rejection.message());
    }

    @Override
    public void unsendable(String typeUrl, int bytes, int resources) {
        counts.unsendable(typeUrl, bytes, resources);
    }

    @Override
    public void withheld(String typeUrl, int resources) {
        counts.withheld(typeUrl, resources);
    }
}
