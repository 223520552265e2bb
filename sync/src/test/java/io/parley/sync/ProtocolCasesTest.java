package io.parley.sync;

import static io.parley.sync.Samples.DATAPLANE;
import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.grpc.SyncMethods;
import io.parley.wire.sync.proto.Dataplane;
import io.parley.wire.sync.proto.Mesh;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cases 1 to 16, by a zone that speaks as Kuma's do. */
class ProtocolCasesTest {
    private static final String SPEC = Samples.timeout("t", 20).spec().json();

    private final ResourceStore store = Samples.store();
    private final GlobalNode global = GlobalNode.on(store);
    private final RawPeer peer = new RawPeer(global.port(), "zone-1", "zone-ping-health");

    @AfterEach
    void close() {
        peer.close();
        global.close();
    }

    @Test
    void case1_everyKindIsAnsweredAndSlowReadersStallNobody() throws Exception {
        for (String kind : List.of("MeshTimeout", "MeshRetry", "MeshTrace", "MeshHealthCheck", "MeshRateLimit")) {
            List<Change> many = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                ResourceKey key = new ResourceKey(new KindId(kind), "default", "p-" + i);
                many.add(new Change.Put(
                        io.parley.resource.Resource.of(
                                key, Samples.timeout("t", i).spec()),
                        Expected.anything(),
                        null));
            }
            store.commit(many);
        }
        List<String> kinds = SyncKinds.toZones().stream().map(Kind::name).toList();
        try (RawPeer slow = new RawPeer(global.port(), "zone-2")) {
            var unread = slow.globalToZoneUnread();
            kinds.forEach(kind -> unread.send(RawPeer.ask(kind).build()));
            var stream = peer.globalToZone();
            kinds.forEach(kind -> stream.send(RawPeer.ask(kind).build()));
            assertThat(takeAll(stream, kinds, () -> {})).isEqualTo(5000);
            assertThat(takeAll(unread, kinds, unread::readOne)).isEqualTo(5000);
        }
    }

    /** One answer for each kind, in whatever order; how many resources came. */
    private static int takeAll(
            RawPeer.Stream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream, List<String> kinds, Runnable read)
            throws InterruptedException {
        Set<String> answered = new HashSet<>();
        int resources = 0;
        while (answered.size() < kinds.size()) {
            read.run();
            DeltaDiscoveryResponse response = stream.next();
            assertThat(answered.add(response.getTypeUrl())).isTrue();
            resources += response.getResourcesCount();
            stream.send(RawPeer.ack(response));
        }
        assertThat(answered).containsExactlyInAnyOrderElementsOf(kinds);
        return resources;
    }

    @Test
    void case2_anEmptyKindIsAnsweredAndASilentPeerIsNoFailure() throws Exception {
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        assertThat(stream.next().getResourcesList()).isEmpty();
        var silent = peer.zoneToGlobal();
        Set<String> asked = new HashSet<>();
        for (int i = 0; i < SyncKinds.toGlobal().size(); i++) {
            DeltaDiscoveryRequest request = silent.next();
            assertThat(request.getNode().getId()).isEqualTo("zone-1");
            assertThat(request.getResourceNamesSubscribeList()).containsExactly("*");
            asked.add(request.getTypeUrl());
        }
        assertThat(asked).contains("Dataplane", "MeshTimeout", "ZoneIngress").doesNotContain("Mesh", "Zone");
        assertThat(silent.end).isNotDone();
    }

    @Test
    void case3_namesEndInTheirMesh() throws Exception {
        Samples.put(store, Samples.timeout("a.b.c", 20));
        Samples.put(store, Samples.mesh("default"));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        assertThat(stream.next().getResources(0).getName()).isEqualTo("a.b.c.default");
        stream.send(RawPeer.ask("Mesh").build());
        DeltaDiscoveryResponse meshes = stream.next();
        assertThat(meshes.getResources(0).getName()).isEqualTo("default.");
        stream.send(RawPeer.ack(meshes));
        Samples.delete(store, Samples.mesh("default"));
        assertThat(stream.next().getRemovedResourcesList()).containsExactly("default.");
    }

    @Test
    void case4_jsonSpecsHaveNoTypeAndProtobufSpecsHaveOne() throws Exception {
        Samples.put(store, Samples.timeout("t", 20));
        Samples.put(
                store,
                io.parley.resource.Resource.of(
                        new ResourceKey(new KindId("Mesh"), "", "m"),
                        new io.parley.resource.Document("{\"routing\":{\"zoneEgress\":true}}")));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        Any json = RawPeer.read(stream.next().getResources(0)).getSpec();
        assertThat(json.getTypeUrl()).isEmpty();
        assertThat(json.getValue().toStringUtf8()).isEqualTo(SPEC);
        stream.send(RawPeer.ask("Mesh").build());
        Any typed = RawPeer.read(stream.next().getResources(0)).getSpec();
        assertThat(typed.getTypeUrl()).isEqualTo("type.googleapis.com/kuma.mesh.v1alpha1.Mesh");
        assertThat(typed.unpack(Mesh.class).getRouting().getZoneEgress()).isTrue();

        Dataplane dataplane = Dataplane.newBuilder()
                .setNetworking(Dataplane.Networking.newBuilder()
                        .setAddress("10.1.1.1")
                        .addInbound(Dataplane.Networking.Inbound.newBuilder()
                                .setPort(8080)
                                .putTags("kuma.io/service", "web")))
                .build();
        up("Dataplane", RawPeer.item("web-1", "default", Any.pack(dataplane)));
        await().untilAsserted(() -> assertThat(Samples.spec(store, DATAPLANE, "default", "zone-1.web-1"))
                .contains("10.1.1.1", "8080"));
    }

    @Test
    void case5_oneAnswerPerKindIsOnItsWay() throws Exception {
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        DeltaDiscoveryResponse first = stream.next();
        Samples.put(store, Samples.timeout("t", 20));
        stream.send(RawPeer.ask("Mesh").build());
        DeltaDiscoveryResponse other = stream.next();
        assertThat(other.getTypeUrl()).isEqualTo("Mesh");
        Samples.put(store, Samples.timeout("t", 30));
        // What is stored later and comes shows that what was stored earlier would have come.
        stream.send(RawPeer.ack(other));
        Samples.put(store, Samples.mesh("m"));
        assertThat(stream.next().getTypeUrl()).isEqualTo("Mesh");
        stream.send(RawPeer.ack(first));
        DeltaDiscoveryResponse second = stream.next();
        assertThat(second.getTypeUrl()).isEqualTo("MeshTimeout");
        assertThat(RawPeer.read(second.getResources(0)).getSpec().getValue().toStringUtf8())
                .contains("30s");
    }

    @Test
    void case6_oneChangeAmongTenThousandIsSentAlone() throws Exception {
        List<Change> many = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            many.add(new Change.Put(Samples.timeout("p-" + i, 20), Expected.anything(), null));
        }
        store.commit(many);
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        DeltaDiscoveryResponse all = stream.next();
        assertThat(all.getResourcesCount()).isEqualTo(10_000);
        stream.send(RawPeer.ack(all));
        Samples.put(store, Samples.timeout("new", 1));
        DeltaDiscoveryResponse added = stream.next();
        assertThat(added.getResourcesList()).extracting(Resource::getName).containsExactly("new.default");
        stream.send(RawPeer.ack(added));
        Samples.put(store, Samples.timeout("p-77", 1));
        DeltaDiscoveryResponse updated = stream.next();
        assertThat(updated.getResourcesList()).extracting(Resource::getName).containsExactly("p-77.default");
        stream.send(RawPeer.ack(updated));
        Samples.delete(store, Samples.timeout("p-78", 20));
        DeltaDiscoveryResponse removed = stream.next();
        assertThat(removed.getResourcesList()).isEmpty();
        assertThat(removed.getRemovedResourcesList()).containsExactly("p-78.default");
    }

    @Test
    void case7_aWriteThatChangesNothingIsNotSentAndNoneIsLost() throws Exception {
        Samples.put(store, Samples.timeout("t", 20));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        stream.send(RawPeer.ack(stream.next()));
        Samples.put(store, Samples.timeout("t", 20));
        assertThat(stream.poll(300)).isNull();
        for (int i = 1; i <= 50; i++) {
            Samples.put(store, Samples.timeout("t", i));
        }
        String last;
        do {
            DeltaDiscoveryResponse response = stream.next();
            stream.send(RawPeer.ack(response));
            last = RawPeer.read(response.getResources(0)).getSpec().getValue().toStringUtf8();
        } while (!last.contains("\"50s\""));
    }

    @Test
    void case8_removedAndAddedAtOnceIsAnUpdate() {
        Resource item = RawPeer.json("t", "default", SPEC);
        var stream = up("MeshTimeout", item);
        await().untilAsserted(() -> assertThat(Samples.names(store, TIMEOUT)).containsExactly("zone-1.t"));
        stream.send(response("MeshTimeout", RawPeer.json("t", "default", SPEC.replace("20s", "21s"))).toBuilder()
                .addRemovedResources("t.default")
                .build());
        await().untilAsserted(() ->
                assertThat(Samples.spec(store, TIMEOUT, "default", "zone-1.t")).contains("21s"));
    }

    @Test
    void case9and10_aRejectionIsCountedAndRepairedByTheNextChangeOnly() throws Exception {
        Samples.put(store, Samples.timeout("t", 20));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").build());
        stream.send(RawPeer.nack(stream.next(), "no good"));
        await().untilAsserted(() -> assertThat(global.count("parley.sync.sent.rejected", "kind", "MeshTimeout"))
                .isEqualTo(1));
        assertThat(stream.poll(300)).isNull();
        Samples.put(store, Samples.timeout("t", 21));
        DeltaDiscoveryResponse corrected = stream.next();
        assertThat(corrected.getResourcesCount()).isEqualTo(1);
        stream.send(RawPeer.ack(corrected));
        assertThat(stream.poll(200)).isNull();
    }

    @Test
    void case11_oneBadItemOfFiftyIsLeftOutAndNamed() throws Exception {
        Resource[] items = new Resource[50];
        for (int i = 0; i < 50; i++) {
            items[i] = RawPeer.json(
                    "t-" + i, "default", i == 17 ? "{\"to\":[{\"targetRef\":{\"kind\":\"Moon\"}}]}" : SPEC);
        }
        var stream = peer.zoneToGlobal();
        answerAll(stream, "MeshTimeout", items);
        DeltaDiscoveryRequest nack = stream.next();
        assertThat(nack.hasErrorDetail()).isTrue();
        assertThat(nack.getErrorDetail().getMessage()).startsWith("user error").contains("t-17", "Moon");
        assertThat(Samples.names(store, TIMEOUT)).hasSize(49).doesNotContain("zone-1.t-17");
        assertThat(stream.end).isNotDone();
    }

    @Test
    void case12_badRequestsHaveADefinedAnswer() throws Exception {
        Samples.put(store, Samples.timeout("t", 20));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTimeout").clearNode().build());
        DeltaDiscoveryResponse answer = stream.next();
        assertThat(answer.getResourcesCount()).isEqualTo(1);
        stream.send(RawPeer.ack(answer).toBuilder().setResponseNonce("4711").build());
        stream.send(RawPeer.ack(answer));
        Samples.put(store, Samples.timeout("t", 21));
        assertThat(stream.next().getResourcesCount()).isEqualTo(1);
        stream.sendBytes(new byte[] {8, 1, 2, 3});
        assertThat(stream.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        var empty = peer.globalToZone();
        empty.send(DeltaDiscoveryRequest.getDefaultInstance());
        assertThat(empty.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void case13_aKindThatWeDoNotKnowIsEmpty() throws Exception {
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("MeshTeleport").build());
        DeltaDiscoveryResponse response = stream.next();
        assertThat(response.getTypeUrl()).isEqualTo("MeshTeleport");
        assertThat(response.getResourcesList()).isEmpty();
    }

    @Test
    void case14_aKindThatIsTooLargeIsNamedAndOthersGoOn() throws Exception {
        for (int i = 0; i < 60; i++) {
            Samples.put(store, Samples.secret("s-" + i, "QUJD".repeat(75_000)));
        }
        Samples.put(store, Samples.timeout("t", 20));
        var stream = peer.globalToZone();
        stream.send(RawPeer.ask("Secret").build());
        stream.send(RawPeer.ask("MeshTimeout").build());
        assertThat(stream.next().getTypeUrl()).isEqualTo("MeshTimeout");
        await().untilAsserted(() -> assertThat(Samples.spec(store, SyncKinds.ZONE_INSIGHT, "", "zone-1"))
                .contains("\"Secret\":{", "60 resources are"));
        await().untilAsserted(() -> assertThat(global.count("parley.sync.unsendable", "kind", "Secret"))
                .isPositive());
        for (int i = 0; i < 30; i++) {
            Samples.delete(store, Samples.secret("s-" + i, "QUJD"));
        }
        DeltaDiscoveryResponse smaller = stream.next();
        assertThat(smaller.getTypeUrl()).isEqualTo("Secret");
        assertThat(smaller.getResourcesCount()).isBetween(30, 52);
    }

    @Test
    void case15_compressedStreamsAreTaken() throws Exception {
        Samples.put(store, Samples.timeout("t", 20));
        RawPeer.Stream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream = peer.open(
                SyncMethods.GLOBAL_SERVICE,
                SyncMethods.GLOBAL_TO_ZONE,
                DeltaDiscoveryResponse.parser(),
                CallOptions.DEFAULT.withCompression("gzip"));
        stream.send(RawPeer.ask("MeshTimeout").build());
        assertThat(stream.next().getResourcesCount()).isEqualTo(1);
    }

    @Test
    void case16_aZoneWithoutANameIsRefusedAndUnknownMethodsAreUnimplemented() throws Exception {
        try (RawPeer nameless = new RawPeer(global.port(), "")) {
            assertThat(nameless.globalToZone().end.get(10, TimeUnit.SECONDS).getCode())
                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
        RawPeer.Stream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> unknown =
                peer.open(SyncMethods.GLOBAL_SERVICE, "StreamDreams", DeltaDiscoveryResponse.parser());
        assertThat(unknown.end.get(10, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    }

    @Test
    void case42_whatCannotBeReadIsRejectedAndNeverThrown() throws Exception {
        var stream = peer.zoneToGlobal();
        Resource notJson = RawPeer.json("a", "default", "{{{");
        Resource badEnum = RawPeer.json("b", "default", SPEC.replace("\"Mesh\"", "\"Meshes\""));
        Resource noName = RawPeer.json("", "default", SPEC);
        Resource noBody = Resource.newBuilder().setName("d.default").build();
        Resource wrongType = RawPeer.item("e", "default", Any.pack(Mesh.getDefaultInstance()));
        Resource garbage = Resource.newBuilder()
                .setName("f.default")
                .setResource(
                        Any.newBuilder().setTypeUrl(RawPeer.KUMA_RESOURCE).setValue(ByteString.copyFromUtf8("garbage")))
                .build();
        answerAll(
                stream,
                "MeshTimeout",
                notJson,
                badEnum,
                noName,
                noBody,
                wrongType,
                garbage,
                RawPeer.json("good", "default", SPEC));
        String message = stream.next().getErrorDetail().getMessage();
        assertThat(message).contains("a.default", "b.default", "d.default", "e.default", "f.default");
        assertThat(Samples.names(store, TIMEOUT)).containsExactly("zone-1.good");
    }

    /** Opens a stream as a zone would and answers one kind. */
    private RawPeer.Stream<DeltaDiscoveryResponse, DeltaDiscoveryRequest> up(String kind, Resource... items) {
        var stream = peer.zoneToGlobal();
        try {
            answerAll(stream, kind, items);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return stream;
    }

    private static void answerAll(
            RawPeer.Stream<DeltaDiscoveryResponse, DeltaDiscoveryRequest> stream, String kind, Resource... items)
            throws InterruptedException {
        for (int i = 0; i < SyncKinds.toGlobal().size(); i++) {
            assertThat(stream.next().getNode()).isNotEqualTo(Node.getDefaultInstance());
        }
        stream.send(response(kind, items));
    }

    static DeltaDiscoveryResponse response(String kind, Resource... items) {
        return DeltaDiscoveryResponse.newBuilder()
                .setTypeUrl(kind)
                .setNonce("1")
                .addAllResources(List.of(items))
                .build();
    }
}
