package io.parley.control.keys;

import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Reads the Secrets that people put into a mesh. May block. */
public final class MeshSecrets {
    private static final KindId SECRET = new KindId("Secret");

    private final ResourceStore store;

    public MeshSecrets(ResourceStore store) {
        this.store = store;
    }

    /** The text in a Secret of this mesh, if there is one; throws {@link IllegalArgumentException} if it is not base64. */
    public Optional<String> find(String mesh, String name) {
        return store.find(new ResourceKey(SECRET, mesh, name))
                .map(stored -> stored.resource().spec().tree().path("data").asText())
                .map(data -> new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8));
    }
}
