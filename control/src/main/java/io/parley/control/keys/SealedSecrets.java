package io.parley.control.keys;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.parley.identity.seal.MasterKey;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Cursor;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Secrets that the control planes of one store share and nobody else reads. They are GlobalSecret resources whose data is sealed
 * by the master key, which is not in the store.
 */
public final class SealedSecrets {
    /** Marks a secret whose data only a control plane with the master key can read. */
    public static final String SEALED_LABEL = "parley.io/sealed";

    private static final KindId GLOBAL_SECRET = new KindId("GlobalSecret");
    private static final String DATA = "data";

    private final ResourceStore store;
    private final MasterKey masterKey;

    public SealedSecrets(ResourceStore store, MasterKey masterKey) {
        this.store = store;
        this.masterKey = masterKey;
    }

    public Optional<byte[]> find(String name) {
        return store.find(key(name)).map(this::open);
    }

    /** What all of them are called. */
    public List<String> names() {
        Query sealed =
                Query.of(GLOBAL_SECRET).withLabels(Map.of(SEALED_LABEL, "true")).withLimit(Query.MAX_LIMIT);
        List<String> names = new ArrayList<>();
        Cursor after = null;
        do {
            Page page = store.list(sealed.startingAfter(after));
            page.items().forEach(stored -> names.add(stored.key().name()));
            after = page.next();
        } while (after != null);
        return names;
    }

    /** The secret of this name, made if there is none yet. Of several control planes that make it at once, one prevails. */
    public byte[] findOrMake(String name, Supplier<byte[]> maker) {
        return find(name).orElseGet(() -> make(name, maker.get()));
    }

    /** Puts a secret in the place of the one of this name, if there is one. */
    public void put(String name, byte[] secret) {
        store.put(sealed(name, secret), Expected.anything());
    }

    public void remove(String name) {
        store.delete(key(name), Expected.anything());
    }

    private Resource sealed(String name, byte[] secret) {
        String sealed = Base64.getEncoder().encodeToString(masterKey.seal(name, secret));
        Document spec = Document.of(JsonNodeFactory.instance.objectNode().put(DATA, sealed));
        return Resource.of(key(name), spec).withLabels(Map.of(SEALED_LABEL, "true"));
    }

    private byte[] make(String name, byte[] secret) {
        try {
            store.put(sealed(name, secret), Expected.absent());
            return secret;
        } catch (StoreException e) {
            if (e.failure() instanceof Failure.Conflict) {
                return find(name).orElseThrow(() -> e);
            }
            throw e;
        }
    }

    private byte[] open(Stored stored) {
        String data = stored.resource().spec().tree().path(DATA).asText();
        return masterKey.open(stored.key().name(), Base64.getDecoder().decode(data));
    }

    private static ResourceKey key(String name) {
        return new ResourceKey(GLOBAL_SECRET, "", name);
    }
}
