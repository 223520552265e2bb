package io.parley.sync;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.store.ResourceStore;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.global.GlobalSync;
import io.parley.sync.grpc.SyncHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A global control plane's end on a port of loopback. */
final class GlobalNode implements AutoCloseable {
    /** Who calls is who it says: what is proven is tested elsewhere. */
    static final ZoneAuthenticator CREDULOUS = (headers, _) ->
            new ZoneAuthenticator.Answer.Proven(new ZoneIdentity("", SyncHeaders.text(headers, SyncHeaders.CLIENT_ID)));

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final GlobalSync sync;
    private final Server server;

    GlobalNode(Tenants tenants, ZoneAuthenticator authenticator, GlobalSettings settings, int port) {
        sync = new GlobalSync(tenants, authenticator, settings, meters);
        try {
            var builder = Grpc.newServerBuilderForPort(port, InsecureServerCredentials.create());
            sync.services().forEach(builder::addService);
            server = builder.maxInboundMessageSize(GlobalSync.MAX_MESSAGE_BYTES)
                    .permitKeepAliveTime(GlobalSync.MIN_PING_SECONDS, TimeUnit.SECONDS)
                    .permitKeepAliveWithoutCalls(true)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static GlobalNode on(ResourceStore store) {
        return on(store, settings());
    }

    static GlobalNode on(ResourceStore store, GlobalSettings settings) {
        return new GlobalNode(Tenants.single(store), CREDULOUS, settings, 0);
    }

    static GlobalSettings settings() {
        return GlobalSettings.of("global-1", "0.1.0")
                .withTimes(
                        Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofMinutes(5));
    }

    GlobalSync sync() {
        return sync;
    }

    int port() {
        return server.getPort();
    }

    double count(String meter, String... tags) {
        var counter = meters.find(meter).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    @Override
    public void close() {
        server.shutdownNow();
        sync.close();
        try {
            server.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
