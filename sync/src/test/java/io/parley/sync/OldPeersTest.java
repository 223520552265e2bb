package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.grpc.SyncMethods;
import io.parley.wire.sync.proto.MultiplexMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Peers that know less than we do: version 1, and protobuf without JSON. */
class OldPeersTest {
    private final ResourceStore global = Samples.store();
    private final ResourceStore first = Samples.store();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    @Test
    void case43_aZoneOfVersionOneStillSyncs() {
        GlobalNode node = opened(GlobalNode.on(global));
        Samples.put(global, Samples.timeout("t", 20));
        Samples.put(first, Samples.dataplane("web-1", 80));
        opened(new ZoneNode(
                first, node.port(), ZoneNode.settings("zone-1").withVersions(List.of(SyncVersion.STATE_OF_THE_WORLD))));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("t");
            assertThat(Samples.names(global, DATAPLANE)).containsExactly("zone-1.web-1");
        });
        Samples.put(global, Samples.timeout("u", 20));
        Samples.delete(global, Samples.timeout("t", 20));
        Samples.delete(first, Samples.dataplane("web-1", 80));
        await().untilAsserted(() -> {
            assertThat(Samples.names(first, TIMEOUT)).containsExactly("u");
            assertThat(Samples.names(global, DATAPLANE)).isEmpty();
        });
    }

    @Test
    void aZoneOfVersionOneThatKnowsNoHandshakeSpeaksByHand() throws Exception {
        GlobalNode node = opened(GlobalNode.on(global));
        Samples.put(global, Samples.timeout("t", 20));
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            RawPeer.Stream<MultiplexMessage, MultiplexMessage> stream =
                    peer.open(SyncMethods.MULTIPLEX_SERVICE, SyncMethods.STREAM_MESSAGE, MultiplexMessage.parser());
            DiscoveryRequest ask = DiscoveryRequest.newBuilder()
                    .setNode(Node.newBuilder().setId("zone-1"))
                    .setTypeUrl("MeshTimeout")
                    .build();
            stream.send(
                    MultiplexMessage.newBuilder().setRequest(ask.toByteString()).build());
            DiscoveryResponse answer = null;
            int asked = 0;
            while (answer == null || asked < SyncKinds.toGlobal().size()) {
                MultiplexMessage message = stream.next();
                if (message.hasResponse()) {
                    answer = DiscoveryResponse.parseFrom(message.getResponse());
                } else {
                    asked++;
                }
            }
            assertThat(answer.getResourcesCount()).isEqualTo(1);
            stream.send(MultiplexMessage.newBuilder()
                    .setRequest(ask.toBuilder()
                            .setVersionInfo(answer.getVersionInfo())
                            .setResponseNonce(answer.getNonce())
                            .build()
                            .toByteString())
                    .build());
            Samples.put(global, Samples.timeout("u", 20));
            assertThat(DiscoveryResponse.parseFrom(stream.next().getResponse()).getResourcesCount())
                    .isEqualTo(2);
            stream.send(MultiplexMessage.newBuilder()
                    .setResponse(ByteString.copyFromUtf8("\u0001garbage"))
                    .build());
            assertThat(stream.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    @Test
    void aZoneThatSpeaksMessagesOfTheOlderApiIsAnsweredInThem() throws Exception {
        GlobalNode node = opened(GlobalNode.on(global));
        Samples.put(global, Samples.timeout("t", 20));
        try (RawPeer peer = new RawPeer(node.port(), "zone-1").ofVersion2()) {
            RawPeer.Stream<MultiplexMessage, MultiplexMessage> stream =
                    peer.open(SyncMethods.MULTIPLEX_SERVICE, SyncMethods.STREAM_MESSAGE, MultiplexMessage.parser());
            stream.send(MultiplexMessage.newBuilder()
                    .setLegacyRequest(DiscoveryRequest.newBuilder()
                            .setNode(Node.newBuilder().setId("zone-1"))
                            .setTypeUrl("MeshTimeout")
                            .build()
                            .toByteString())
                    .build());
            boolean answered = false;
            int asked = 0;
            while (!answered || asked < SyncKinds.toGlobal().size()) {
                MultiplexMessage message = stream.next();
                assertThat(message.hasRequest() || message.hasResponse()).isFalse();
                answered |= message.hasLegacyResponse();
                asked += message.hasLegacyRequest() ? 1 : 0;
            }
        }
    }

    @Test
    void aGlobalThatHasNeitherHandshakeNorDeltaIsFollowedInVersionOne() throws Exception {
        Samples.put(global, Samples.timeout("t", 20));
        GlobalNode node = opened(GlobalNode.on(global));
        Server old = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(node.sync().services().getLast())
                .build()
                .start();
        open.add(old::shutdownNow);
        opened(ZoneNode.of("zone-1", first, old.getPort()));
        await().untilAsserted(() -> assertThat(Samples.names(first, TIMEOUT)).containsExactly("t"));
    }

    /** An empty answer would make the zone delete what it has. */
    @Test
    void ofAKindThatAPeerWouldNotUnderstandNothingIsSaidUntilThereIsNone() throws Exception {
        GlobalNode node = opened(GlobalNode.on(global));
        Resource retry = Resource.of(
                new ResourceKey(new KindId("Retry"), "default", "r"),
                new Document("{\"conf\":{\"http\":{\"numRetries\":3}}}"));
        Samples.put(global, retry);
        Samples.put(global, Samples.mesh("default"));
        try (RawPeer peer = new RawPeer(node.port(), "zone-1");
                RawPeer parley = new RawPeer(node.port(), "zone-2", "parley-json-specs")) {
            var stream = peer.globalToZone();
            stream.send(RawPeer.ask("Retry").build());
            stream.send(RawPeer.ask("Mesh").build());
            assertThat(stream.next().getTypeUrl()).isEqualTo("Mesh");
            await().untilAsserted(() -> assertThat(Samples.spec(global, SyncKinds.ZONE_INSIGHT, "", "zone-1"))
                    .contains("\"Retry\":{", "1 resources are kept from the zone"));
            assertThat(node.count("parley.sync.withheld", "kind", "Retry")).isEqualTo(1);
            var understood = parley.globalToZone();
            understood.send(RawPeer.ask("Retry").build());
            assertThat(understood.next().getResourcesCount()).isEqualTo(1);
            Samples.delete(global, retry);
            var answer = stream.next();
            assertThat(answer.getTypeUrl()).isEqualTo("Retry");
            assertThat(answer.getResourcesList()).isEmpty();
        }
    }

    private <T extends AutoCloseable> T opened(T made) {
        open.add(made);
        return made;
    }
}
