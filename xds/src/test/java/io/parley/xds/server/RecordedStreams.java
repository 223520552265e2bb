package io.parley.xds.server;

import io.parley.xds.server.session.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

record RecordedStreams(List<String> events) implements StreamListener {
    @Override
    public void opened(StreamInfo stream) {
        events.add("opened " + stream.node().id());
    }

    @Override
    public void acknowledged(StreamInfo stream, String typeUrl, String version, @Nullable Rejection standing) {
        events.add("acknowledged " + stream.node().id());
    }

    @Override
    public void rejected(StreamInfo stream, String typeUrl, Rejection rejection) {
        events.add("rejected " + stream.node().id() + ' ' + rejection.message());
    }

    @Override
    public void closed(StreamInfo stream) {
        events.add("closed " + stream.node().id());
    }
}
