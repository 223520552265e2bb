package io.parley.sync;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.store.ResourceStore;
import io.parley.sync.zone.Channels;
import io.parley.sync.zone.ZoneSync;
import io.parley.xds.client.loop.Backoff;
import java.net.URI;
import java.time.Duration;

/** A zone control plane's end. */
final class ZoneNode implements AutoCloseable {
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ZoneSync sync;

    ZoneNode(ResourceStore store, int port, ZoneSettings settings) {
        sync = ZoneSync.start(
                store, new Channels(URI.create("grpc://127.0.0.1:" + port), null, null), settings, meters);
    }

    static ZoneNode of(String zone, ResourceStore store, int port) {
        return new ZoneNode(store, port, settings(zone));
    }

    static ZoneSettings settings(String zone) {
        return ZoneSettings.of(zone, zone + "-cp-1", "0.1.0")
                .withBackoff(
                        new Backoff(Duration.ofMillis(50), Duration.ofMillis(200), 2, 0.3), Duration.ofMillis(500));
    }

    ZoneSync sync() {
        return sync;
    }

    double count(String meter, String... tags) {
        var counter = meters.find(meter).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    @Override
    public void close() {
        sync.close();
    }
}
