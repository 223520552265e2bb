package io.parley.xds.server.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class RecordedEvents implements SessionEvents {
    final List<String> acknowledged = new ArrayList<>();
    final List<Rejection> rejected = new ArrayList<>();
    final List<String> givenUp = new ArrayList<>();
    final List<Integer> oversized = new ArrayList<>();
    int stale;

    @Override
    public void acknowledged(String typeUrl, String version, Duration after, @Nullable Rejection standing) {
        acknowledged.add(version);
    }

    @Override
    public void rejected(String typeUrl, Rejection rejection) {
        rejected.add(rejection);
    }

    @Override
    public void givenUp(String typeUrl) {
        givenUp.add(typeUrl);
    }

    @Override
    public void staleNonce(String typeUrl) {
        stale++;
    }

    @Override
    public void oversized(String typeUrl, int bytes) {
        oversized.add(bytes);
    }
}
