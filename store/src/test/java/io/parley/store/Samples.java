package io.parley.store;

import io.parley.resource.Document;
import io.parley.resource.Form;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resources to try a store with. */
public final class Samples {
    public static final KindId MESH = new KindId("Mesh");
    public static final KindId TIMEOUT = new KindId("MeshTimeout");
    public static final KindId SECRET = new KindId("core/Secret");

    private Samples() {}

    public static ResourceKey mesh(String name) {
        return new ResourceKey(MESH, "", name);
    }

    public static ResourceKey timeout(String space, String name) {
        return new ResourceKey(TIMEOUT, space, name);
    }

    public static ResourceKey timeout(String name) {
        return timeout("default", name);
    }

    /** A resource whose document holds this number. */
    public static Resource numbered(ResourceKey key, long number) {
        return Resource.of(key, new Document("{\"number\":" + number + "}"));
    }

    public static long numberIn(Stored stored) {
        return stored.resource().spec().tree().path("number").asLong();
    }

    public static Resource full(ResourceKey key) {
        return new Resource(
                key,
                Form.KUBERNETES,
                Map.of("kuma.io/mesh", "default", "team", "käse"),
                Map.of("note", "line\nbreak \"quoted\" \u0001"),
                new Document("{\"to\":[{\"n\":1.50,\"big\":123456789012345678901234567890,\"z\":null,\"a\":\"😀\"}]}"),
                new Document("{\"ok\":true}"));
    }

    public static Change.Put put(ResourceKey key, long number) {
        return new Change.Put(numbered(key, number), Expected.anything(), null);
    }

    public static Change.Put put(ResourceKey key, long number, @Nullable ResourceKey owner) {
        return new Change.Put(numbered(key, number), Expected.anything(), owner);
    }

    public static Change.Delete delete(ResourceKey key) {
        return new Change.Delete(key, Expected.anything());
    }
}
