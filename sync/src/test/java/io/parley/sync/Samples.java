package io.parley.sync;

import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.Stored;
import io.parley.store.memory.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Resources to send about, and looks into stores. */
final class Samples {
    static final KindId TIMEOUT = new KindId("MeshTimeout");
    static final KindId DATAPLANE = new KindId("Dataplane");
    static final KindId INGRESS = new KindId("ZoneIngress");
    static final Map<String, String> OF_ZONE = Map.of("kuma.io/origin", "zone");

    private Samples() {}

    static MemoryStore store() {
        return new MemoryStore(Retention.DEFAULT, InstantSource.system());
    }

    static Resource timeout(String name, int seconds) {
        return Resource.of(
                new ResourceKey(TIMEOUT, "default", name),
                new Document("{\"targetRef\":{\"kind\":\"Mesh\"},\"to\":[{\"targetRef\":{\"kind\":\"Mesh\"},"
                        + "\"default\":{\"idleTimeout\":\"" + seconds + "s\",\"connectionTimeout\":\"2s\"}}]}"));
    }

    static Resource zoneTimeout(String name, int seconds) {
        return timeout(name, seconds).withLabels(OF_ZONE);
    }

    static Resource mesh(String name) {
        return Resource.of(new ResourceKey(new KindId("Mesh"), "", name), Document.EMPTY);
    }

    static Resource secret(String name, String base64) {
        return Resource.of(
                new ResourceKey(new KindId("Secret"), "default", name), new Document("{\"data\":\"" + base64 + "\"}"));
    }

    static Resource dataplane(String name, int port) {
        return Resource.of(
                new ResourceKey(DATAPLANE, "default", name),
                new Document("{\"networking\":{\"address\":\"127.0.0.1\",\"inbound\":[{\"port\":" + port
                        + ",\"tags\":{\"kuma.io/service\":\"web\",\"kuma.io/protocol\":\"http\"}}]}}"));
    }

    static Resource insight(String name, int generation) {
        return Resource.of(
                new ResourceKey(new KindId("DataplaneInsight"), "default", name),
                new Document("{\"subscriptions\":[{\"id\":\"" + name + "\",\"generation\":" + generation + "}]}"));
    }

    static Resource ingress(String name, String zone) {
        return Resource.of(
                new ResourceKey(INGRESS, "", name),
                new Document("{\"zone\":\"" + zone + "\",\"networking\":{\"address\":\"10.0.0.1\",\"port\":10001}}"));
    }

    static void put(ResourceStore store, Resource resource) {
        store.put(resource, Expected.anything());
    }

    static void delete(ResourceStore store, Resource resource) {
        store.delete(resource.key(), Expected.anything());
    }

    static Set<String> names(ResourceStore store, KindId kind) {
        Set<String> names = new TreeSet<>();
        rows(store, kind).forEach(stored -> names.add(stored.key().name()));
        return names;
    }

    static List<Stored> rows(ResourceStore store, KindId kind) {
        return store.list(Query.of(kind).withLimit(Query.MAX_LIMIT)).items();
    }

    static String spec(ResourceStore store, KindId kind, String space, String name) {
        return store.find(new ResourceKey(kind, space, name))
                .map(stored -> stored.resource().spec().json())
                .orElse("absent");
    }
}
