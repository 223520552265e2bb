package io.parley.sync;

import static io.parley.sync.Samples.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.resource.Document;
import io.parley.store.ResourceStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cases 42 and 43 as the older of two sees them: what the newer one says beyond it. */
class NewerPeerTest {
    private static final String SPEC = Samples.timeout("t", 20).spec().json();

    private final ResourceStore global = Samples.store();
    private final GlobalNode node = GlobalNode.on(global);

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void case42_fieldsThatOnlyTheNewerKnowsAreKeptAndValuesThatCannotBeReadAreRejected() throws Exception {
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            var answer = OwnershipCasesTest.answer(
                    peer,
                    "MeshTimeout",
                    RawPeer.json(
                            "newer",
                            "default",
                            SPEC.replace("\"idleTimeout\"", "\"newKnob\":{\"a\":[1]},\"idleTimeout\"")),
                    RawPeer.json("bad", "default", SPEC.replace("20s", "20 lightyears")),
                    RawPeer.json("worse", "default", SPEC.replace("\"Mesh\"", "\"Galaxy\"")));
            assertThat(answer.getErrorDetail().getMessage())
                    .contains("bad.default", "worse.default")
                    .doesNotContain("newer.default");
        }
        assertThat(Samples.names(global, TIMEOUT)).containsExactly("zone-1.newer");
        assertThat(Samples.spec(global, TIMEOUT, "default", "zone-1.newer")).contains("\"newKnob\":{\"a\":[1]}");
    }

    @Test
    void case42_aZoneKeepsThemTooAndPassesThemOn() {
        Document newer = new Document(SPEC.replace("\"to\"", "\"newSection\":{},\"to\""));
        Samples.put(global, Samples.timeout("of-global", 20).withSpec(newer));
        ResourceStore store = Samples.store();
        try (ZoneNode zone = ZoneNode.of("zone-1", store, node.port())) {
            await().untilAsserted(() -> assertThat(Samples.spec(store, TIMEOUT, "default", "of-global"))
                    .isEqualTo(newer.json()));
            assertThat(zone.count("parley.sync.received.rejected", "kind", "MeshTimeout"))
                    .isZero();
        }
    }

    /** More than a commit is ever tried again, and the rest is stored all the same. */
    @Test
    void manyThatNoStoreCanKeepAreNamedAndTheRestIsStored() throws Exception {
        var items = new io.envoyproxy.envoy.service.discovery.v3.Resource[41];
        for (int i = 0; i < 40; i++) {
            items[i] = RawPeer.labelled("t-" + i, "default", SPEC, "x".repeat(600));
        }
        items[40] = RawPeer.labelled("good", "default", SPEC, "x");
        try (RawPeer peer = new RawPeer(node.port(), "zone-1")) {
            var answer = OwnershipCasesTest.answer(peer, "MeshTimeout", items);
            assertThat(answer.getErrorDetail().getMessage())
                    .contains("t-0.default", "label value of 600", "and 20 more");
        }
        assertThat(Samples.names(global, TIMEOUT)).containsExactly("zone-1.good");
    }
}
