package io.parley.bench.sync;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.sync.GlobalSettings;
import io.parley.sync.Tenants;
import io.parley.sync.ZoneSettings;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.global.GlobalSync;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.zone.Channels;
import io.parley.sync.zone.ZoneSync;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A global control plane's end and zones', in this process, with stores in memory. */
final class Planes implements AutoCloseable {
    static final KindId DATAPLANE = new KindId("Dataplane");
    static final KindId INSIGHT = new KindId("DataplaneInsight");
    static final KindId TIMEOUT = new KindId("MeshTimeout");
    private static final int BATCH = 1_000;

    final ResourceStore global = store();
    final CountingWire wire;
    private final GlobalSync sync;
    private final Server server;
    private final List<ZoneSync> zones = new ArrayList<>();

    Planes() throws IOException {
        ZoneAuthenticator credulous = (headers, _) -> new ZoneAuthenticator.Answer.Proven(
                new ZoneIdentity("", SyncHeaders.text(headers, SyncHeaders.CLIENT_ID)));
        sync = new GlobalSync(
                Tenants.single(global), credulous, GlobalSettings.of("global", "0.1.0"), new SimpleMeterRegistry());
        var builder = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create());
        sync.services().forEach(builder::addService);
        server = builder.maxInboundMessageSize(GlobalSync.MAX_MESSAGE_BYTES)
                .build()
                .start();
        wire = new CountingWire(server.getPort());
    }

    static ResourceStore store() {
        return new MemoryStore(new Retention(500_000, 1L << 30), InstantSource.system());
    }

    void zone(String name, ResourceStore store, SyncVersion version) {
        URI url = URI.create("grpc://127.0.0.1:" + wire.port());
        zones.add(ZoneSync.start(
                store,
                new Channels(url, null, null),
                ZoneSettings.of(name, name, "0.1.0").withVersions(List.of(version)),
                new SimpleMeterRegistry()));
    }

    static void fill(ResourceStore store, int count, IntFunction<Resource> resource) {
        for (int from = 0; from < count; from += BATCH) {
            List<Change> changes = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + BATCH); i++) {
                changes.add(new Change.Put(resource.apply(i), Expected.anything(), null));
            }
            store.commit(changes);
        }
    }

    static Resource dataplane(int index, int port) {
        return Resource.of(
                new ResourceKey(DATAPLANE, "default", "dp-" + index),
                new Document("{\"networking\":{\"address\":\"10.1.2.3\",\"inbound\":[{\"port\":" + port
                        + ",\"tags\":{\"kuma.io/service\":\"web-" + index % 100
                        + "\",\"kuma.io/protocol\":\"http\",\"version\":\"v1\",\"team\":\"platform\"}}]}}"));
    }

    static Resource insight(int index, int generation) {
        return Resource.of(
                new ResourceKey(INSIGHT, "default", "dp-" + index),
                new Document("{\"subscriptions\":[{\"id\":\"dp-" + index + "\",\"controlPlaneInstanceId\":\"cp-1\","
                        + "\"connectTime\":\"2026-11-16T00:00:00Z\",\"generation\":" + generation + "}]}"));
    }

    static Resource timeout(String name, int seconds) {
        return Resource.of(
                new ResourceKey(TIMEOUT, "default", name),
                new Document("{\"targetRef\":{\"kind\":\"Mesh\"},\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},"
                        + "\"default\":{\"idleTimeout\":\"" + seconds + "s\"}}]}"));
    }

    static long count(ResourceStore store, KindId kind) {
        return store.list(Query.of(kind).withLimit(1)).total();
    }

    @Override
    public void close() throws IOException {
        zones.forEach(ZoneSync::close);
        server.shutdownNow();
        sync.close();
        wire.close();
    }
}
