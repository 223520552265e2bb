package io.parley.control.keys;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.identity.seal.MasterKey;
import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Committed;
import io.parley.store.Event;
import io.parley.store.Outcome;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Revision;
import io.parley.store.Stored;
import io.parley.store.Watch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A store in which the content of people's secrets is kept sealed by the master key, which is not in the store: whoever reads its files,
 * or a copy of them, reads no key of an authority. To those who use it everything is as if it were in clear. What was stored in clear before
 * is read, and sealed when it is written again.
 */
public final class SealingStore implements ResourceStore {
    private static final Set<String> KINDS = Set.of("Secret", "GlobalSecret", "core/Secret");
    private static final String SEALED = "parley.io/sealed-spec";

    private final ResourceStore store;
    private final MasterKey masterKey;

    public SealingStore(ResourceStore store, MasterKey masterKey) {
        this.store = store;
        this.masterKey = masterKey;
    }

    @Override
    public Optional<Stored> find(ResourceKey key) {
        return store.find(key).map(this::opened);
    }

    @Override
    public Page list(Query query) {
        Page page = store.list(query);
        return new Page(page.items().stream().map(this::opened).toList(), page.total(), page.next(), page.revision());
    }

    @Override
    public Committed commit(List<Change> changes) {
        Committed done = store.commit(changes.stream().map(this::sealed).toList());
        return new Committed(
                done.revision(), done.outcomes().stream().map(this::opened).toList());
    }

    @Override
    public Revision revision() {
        return store.revision();
    }

    @Override
    public Watch watch(Revision after) {
        Watch watch = store.watch(after);
        return new Watch() {
            @Override
            public Polled poll(Duration timeout) {
                return switch (watch.poll(timeout)) {
                    case Events(var events, var through) ->
                        new Events(
                                events.stream().map(SealingStore.this::opened).toList(), through);
                    case TooOld old -> old;
                    case Nothing nothing -> nothing;
                };
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }

    @Override
    public void close() {
        store.close();
    }

    private Change sealed(Change change) {
        return switch (change) {
            case Change.Put(Resource resource, var expected, var owner)
            when isSecret(resource) -> new Change.Put(resource.withSpec(sealed(resource)), expected, owner);
            case Change.Put put -> put;
            case Change.Delete delete -> delete;
        };
    }

    /** The same content is stored in the same way, so that writing it again changes nothing. */
    private Document sealed(Resource resource) {
        Optional<Resource> before = store.find(resource.key()).map(Stored::resource);
        if (before.isPresent() && opened(before.get()).spec().equals(resource.spec()) && isSealed(before.get())) {
            return before.get().spec();
        }
        byte[] sealed =
                masterKey.seal(label(resource.key()), resource.spec().json().getBytes(StandardCharsets.UTF_8));
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        return Document.of(tree.put(SEALED, Base64.getEncoder().encodeToString(sealed)));
    }

    private Outcome opened(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Created(Stored stored) -> new Outcome.Created(opened(stored));
            case Outcome.Updated(Stored stored) -> new Outcome.Updated(opened(stored));
            case Outcome.Unchanged(Stored stored) -> new Outcome.Unchanged(opened(stored));
            case Outcome.Deleted(Stored last) -> new Outcome.Deleted(opened(last));
            case Outcome.Missing missing -> missing;
        };
    }

    private Event opened(Event event) {
        return switch (event) {
            case Event.Written(Stored stored) -> new Event.Written(opened(stored));
            case Event.Deleted deleted -> deleted;
        };
    }

    private Stored opened(Stored stored) {
        return isSealed(stored.resource()) ? stored.with(opened(stored.resource())) : stored;
    }

    private Resource opened(Resource resource) {
        if (!isSealed(resource)) {
            return resource;
        }
        byte[] sealed =
                Base64.getDecoder().decode(resource.spec().tree().path(SEALED).asText());
        String json = new String(masterKey.open(label(resource.key()), sealed), StandardCharsets.UTF_8);
        return resource.withSpec(new Document(json));
    }

    /** What control planes seal themselves is sealed already. */
    private static boolean isSecret(Resource resource) {
        return KINDS.contains(resource.key().kind().value())
                && !resource.labels().containsKey(SealedSecrets.SEALED_LABEL);
    }

    private static boolean isSealed(Resource resource) {
        return KINDS.contains(resource.key().kind().value())
                && resource.spec().json().contains(SEALED)
                && resource.spec().tree().has(SEALED);
    }

    private static String label(ResourceKey key) {
        return key.toString();
    }
}
