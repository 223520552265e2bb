package io.parley.link.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.parley.link.CallRefusal;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.link.client.LinkClientListener;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.RawNode;
import io.parley.link.fixture.TestControlPlane;
import io.parley.link.fixture.TestNodes;
import io.parley.link.server.LinkListener;
import io.parley.link.server.NodeLink;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.Frame;
import io.parley.wire.wrpc.proto.GranularHashes;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.ReportMetadataRequest;
import io.parley.wire.wrpc.proto.SyncConfigRequest;
import io.parley.wire.wrpc.proto.SyncConfigResponse;
import io.parley.wire.wrpc.proto.VersionedResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigServicesTest {
    private static final Pki PKI = new Pki();
    private static final String CLUSTERS = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
    private static final String ROUTES = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration";
    private static final String HASH = "0123456789abcdef0123456789abcdef";
    private static final byte[] JSON = "{\"_format_version\":\"3.0\"}".getBytes(StandardCharsets.UTF_8);

    private final Events events = new Events();
    private final Resources resources = new Resources();
    private final Worlds worlds = new Worlds();
    private TestControlPlane controlPlane;
    private TestNodes nodes;

    @BeforeEach
    void start() {
        controlPlane = TestControlPlane.start(
                PKI,
                List.of(ConfigServerV2.binding(resources, events), ConfigServerV1.binding(worlds, events)),
                LinkListener.NONE);
        nodes = new TestNodes(PKI);
    }

    @AfterEach
    void stop() {
        nodes.close();
        await().until(() -> resources.watchers.isEmpty());
        controlPlane.close();
    }

    @Test
    void v2_aChangeIsAppliedAndThenAcknowledged() {
        var sink = new Sink();
        nodes.start(controlPlane.port(), "n", v2(sink), LinkClientListener.NONE);
        resources.publish(state("1", Map.of("a", "1", "b", "1")));

        await().until(() -> events.contains("applied n " + CLUSTERS + " 1"));
        assertThat(sink.held).isEqualTo(Map.of("a", "1", "b", "1"));

        resources.publish(state("2", Map.of("a", "2")));
        await().until(() -> events.contains("applied n " + CLUSTERS + " 2"));
        assertThat(sink.held).isEqualTo(Map.of("a", "2"));
        assertThat(sink.changes.getLast().removed()).containsExactly("b");
    }

    @Test
    void v2_theAcknowledgementWaitsUntilTheChangeIsInForce() {
        var sink = new Sink();
        var slow = new CompletableFuture<Void>();
        sink.gate = slow;
        // Published first: a node that has nothing to change acknowledges that, too.
        resources.publish(state("1", Map.of("a", "1")));
        nodes.start(controlPlane.port(), "n", v2(sink), LinkClientListener.NONE);
        await().until(() -> sink.changes.size() == 1);
        assertThat(events).isEmpty();

        slow.complete(null);

        await().until(() -> events.contains("applied n " + CLUSTERS + " 1"));
    }

    @Test
    void v2_typesTravelInTheOrderInWhichTheNodeNamedThem_theNextWhenTheOneBeforeIsInForce() {
        var sink = new Sink(CLUSTERS, ROUTES);
        nodes.start(controlPlane.port(), "n", v2(sink), LinkClientListener.NONE);
        await().until(() -> events.contains("applied n " + CLUSTERS + " 0"));
        var slow = new CompletableFuture<Void>();
        sink.gate = slow;

        resources.publish(Map.of(ROUTES, state("1", Map.of("r", "1")), CLUSTERS, state("1", Map.of("a", "1"))));
        resources.publish(Map.of(ROUTES, state("2", Map.of("r", "2"))));

        await().until(() -> !sink.changes.isEmpty());
        assertThat(sink.changes).extracting(ConfigSink.Change::typeUrl).containsExactly(CLUSTERS);
        slow.complete(null);
        await().until(() -> events.contains("applied n " + ROUTES + " 2"));
        assertThat(sink.changes).extracting(ConfigSink.Change::version).containsExactly("1", "2");
    }

    @Test
    void v2_aTypeThatIsRefusedDoesNotHoldUpTheOthers() {
        var sink = new Sink(CLUSTERS, ROUTES);
        sink.refusal = "no";
        nodes.start(controlPlane.port(), "n", v2(sink), LinkClientListener.NONE);

        resources.publish(Map.of(CLUSTERS, state("1", Map.of("a", "1")), ROUTES, state("1", Map.of("r", "1"))));

        await().until(() -> events.contains("refused n " + ROUTES + " 1: no"));
        assertThat(events).contains("refused n " + CLUSTERS + " 1: no");
    }

    @Test
    void v2_aRefusalIsReportedWithItsReasonAndTheNodeKeepsWhatItHas() {
        var sink = new Sink();
        nodes.start(controlPlane.port(), "n", v2(sink), LinkClientListener.NONE);
        resources.publish(state("1", Map.of("a", "1")));
        await().until(() -> events.contains("applied n " + CLUSTERS + " 1"));
        sink.refusal = "cluster a: no endpoints";

        resources.publish(state("2", Map.of("a", "2")));

        await().until(() -> events.contains("refused n " + CLUSTERS + " 2: cluster a: no endpoints"));
        assertThat(sink.held).isEqualTo(Map.of("a", "1"));
        // The same node is left alone for a while, whatever comes.
        resources.publish(state("3", Map.of("a", "3")));
        resources.publish(state("4", Map.of("a", "4")));
        assertThat(sink.changes).hasSize(2);
    }

    @Test
    void v2_aReconnectResumesWithWhatTheNodeHolds() {
        var sink = new Sink();
        resources.publish(state("1", Map.of("a", "1", "b", "1")));
        nodes.start(controlPlane.port(), "n", v2(sink), LinkClientListener.NONE);
        await().until(() -> events.contains("applied n " + CLUSTERS + " 1"));

        resources.links.getFirst().link().close(new CloseReason(CloseReason.GOING_AWAY, "test"));
        await().until(() -> resources.links.size() == 2);
        resources.publish(state("2", Map.of("a", "1", "b", "2")));

        await().until(() -> events.contains("applied n " + CLUSTERS + " 2"));
        assertThat(sink.changes).hasSize(2);
        assertThat(sink.changes.getLast().changed())
                .extracting(VersionedResource::getName)
                .containsExactly("b");
    }

    @Test
    void v2_aChangeLargerThanAFrameTravelsInParts() {
        var sink = new Sink();
        nodes.start(controlPlane.port(), "n", v2(sink), LinkClientListener.NONE);
        var megabyte = new ResourceState.Item("1", ByteString.copyFrom(new byte[1 << 20]));
        resources.publish(new ResourceState(
                "1", Map.of("a", megabyte, "b", megabyte, "c", megabyte, "d", megabyte, "e", megabyte, "f", megabyte)));

        await().until(() -> events.contains("applied n " + CLUSTERS + " 1"));
        assertThat(sink.changes)
                .singleElement()
                .satisfies(change -> assertThat(change.changed()).hasSize(6));
    }

    @Test
    void v1_ourNodeAppliesTheWorldAndSaysSo() {
        var sink = new FakeWorldSink();
        var service = ConfigClientV1.service(sink, List.of(), ClientService.Need.REQUIRED);
        nodes.start(controlPlane.port(), "n", List.of(service), LinkClientListener.NONE);

        worlds.publish(World.pack(JSON, HASH, GranularHashes.getDefaultInstance()));

        await().until(() -> events.contains("applied n world " + HASH));
        assertThat(sink.json).isEqualTo(new String(JSON, StandardCharsets.UTF_8));
    }

    @Test
    void v1_aBombIsRefusedByTheNodeAndTheLinkStays() {
        var sink = new FakeWorldSink();
        var service = ConfigClientV1.service(sink, List.of(), ClientService.Need.REQUIRED);
        nodes.start(controlPlane.port(), "n", List.of(service), LinkClientListener.NONE);

        worlds.publish(World.pack(new byte[33 << 20], HASH, GranularHashes.getDefaultInstance()));

        await().until(() -> events.stream().anyMatch(event -> event.startsWith("refused n world " + HASH)));
        assertThat(sink.json).isEmpty();
        assertThat(controlPlane.endpoint().nodes()).hasSize(1);
    }

    @Test
    void v1_aNodeOfAnotherMakeGetsTheWorldAfterItsMetadataAndNotBefore() throws IOException {
        worlds.publish(World.pack(JSON, HASH, GranularHashes.getDefaultInstance()));
        try (var node = RawNode.upgraded(controlPlane.port(), PKI.tls(PKI.node("web")))) {
            assertThat(node.negotiate("config", "v1").getServicesAccepted(0).getMessage())
                    .isEqualTo("wRPC configuration");
            int ping = node.call(
                    Services.PING_CP,
                    PingCPRequest.newBuilder().setHash(World.NO_HASH).build());
            // The answer to the ping comes first, so nothing was pushed before.
            assertThat(((Frame.Reply) node.receive()).ack()).isEqualTo(ping);
            int report = node.call(Services.REPORT_METADATA, ReportMetadataRequest.getDefaultInstance());
            var reported = (Frame.Reply) node.receive();
            assertThat(reported.ack()).isEqualTo(report);
            assertThat(Services.REPORT_METADATA.readResponse(reported.payload()).getOk())
                    .isEqualTo("valid");

            var push = (Frame.Call) node.receive();
            SyncConfigRequest sync = Services.SYNC_CONFIG.readRequest(push.payload());
            assertThat(push.method()).isEqualTo(Services.SYNC_CONFIG.method());
            assertThat(sync.getVersion()).isEqualTo(1);
            assertThat(Gunzip.unpack(sync.getConfig())).isEqualTo(JSON);
            node.reply(push, SyncConfigResponse.newBuilder().setAccepted(true).build());
            node.call(Services.PING_CP, PingCPRequest.newBuilder().setHash(HASH).build());
            await().until(() -> events.contains("applied dp-1 world " + HASH));
        }
    }

    @Test
    void v1_aHashThatIsNoneIsAnErrorAndNothingElse() throws IOException {
        try (var node = RawNode.upgraded(controlPlane.port(), PKI.tls(PKI.node("web")))) {
            node.negotiate("config", "v1");
            for (String hash : List.of("", "abc", "z".repeat(32), "0".repeat(33))) {
                node.call(
                        Services.PING_CP,
                        PingCPRequest.newBuilder().setHash(hash).build());
                assertThat(node.receive()).isInstanceOf(Frame.Failure.class);
            }
        }
    }

    private static List<ClientService> v2(Sink sink) {
        return List.of(ConfigClientV2.service(sink, ClientService.Need.REQUIRED));
    }

    private static ResourceState state(String version, Map<String, String> versions) {
        var items = new ConcurrentHashMap<String, ResourceState.Item>();
        versions.forEach((name, v) -> items.put(name, new ResourceState.Item(v, ByteString.copyFromUtf8(name + v))));
        return new ResourceState(version, items);
    }

    private static final class Events extends CopyOnWriteArrayList<String> implements ConfigListener {
        @Override
        public void applied(NodeLink node, String type, String version) {
            add("applied " + node.node().id() + " " + type + " " + version);
        }

        @Override
        public void refused(NodeLink node, String type, String version, String reason) {
            add("refused " + node.node().id() + " " + type + " " + version + ": " + reason);
        }
    }

    /** What is published while a node comes reaches it after what there was before. */
    private static final class Resources implements ConfigSource {
        final List<Consumer<Map<String, ResourceState>>> watchers = new CopyOnWriteArrayList<>();
        final List<NodeLink> links = new CopyOnWriteArrayList<>();
        private Map<String, ResourceState> current = Map.of(CLUSTERS, new ResourceState("0", Map.of()));

        void publish(ResourceState clusters) {
            publish(Map.of(CLUSTERS, clusters));
        }

        synchronized void publish(Map<String, ResourceState> states) {
            current = states;
            watchers.forEach(watcher -> watcher.accept(states));
        }

        @Override
        public synchronized Watch watch(
                NodeLink node, List<String> typeUrls, Consumer<Map<String, ResourceState>> states) {
            links.add(node);
            watchers.add(states);
            states.accept(current);
            return () -> watchers.remove(states);
        }
    }

    private static final class Worlds implements WorldSource {
        private final List<Consumer<World>> watchers = new CopyOnWriteArrayList<>();
        private final List<World> published = new CopyOnWriteArrayList<>();

        synchronized void publish(World world) {
            published.add(world);
            watchers.forEach(watcher -> watcher.accept(world));
        }

        @Override
        public synchronized Watch watch(NodeLink node, Consumer<World> world) {
            watchers.add(world);
            published.forEach(world);
            return () -> watchers.remove(world);
        }
    }

    private static final class Sink implements ConfigSink {
        final List<Change> changes = new CopyOnWriteArrayList<>();
        final Map<String, String> held = new ConcurrentHashMap<>();
        volatile String refusal = "";
        volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
        private final List<String> types;

        Sink(String... types) {
            this.types = types.length == 0 ? List.of(CLUSTERS) : List.of(types);
        }

        @Override
        public Map<String, Map<String, String>> held() {
            Map<String, Map<String, String>> byType = new LinkedHashMap<>();
            types.forEach(type -> byType.put(type, type.equals(CLUSTERS) ? Map.copyOf(held) : Map.of()));
            return byType;
        }

        @Override
        public CompletableFuture<Void> apply(Change change) {
            changes.add(change);
            if (!refusal.isEmpty()) {
                throw CallRefusal.because(refusal);
            }
            return gate.thenRun(() -> {
                change.changed().forEach(resource -> held.put(resource.getName(), resource.getVersion()));
                change.removed().forEach(held::remove);
            });
        }
    }

    private static final class FakeWorldSink implements WorldSink {
        volatile String json = "";
        private volatile String hash = World.NO_HASH;

        @Override
        public String hash() {
            return hash;
        }

        @Override
        public CompletableFuture<Void> apply(byte[] bytes, String newHash) {
            json = new String(bytes, StandardCharsets.UTF_8);
            hash = newHash;
            return CompletableFuture.completedFuture(null);
        }
    }
}
