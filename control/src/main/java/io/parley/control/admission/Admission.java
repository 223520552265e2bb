package io.parley.control.admission;

import io.parley.control.access.Place;
import io.parley.control.keys.Revocations;
import io.parley.control.keys.SealedSecrets;
import io.parley.control.keys.SigningKeys;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Violation;
import io.parley.resource.kind.Author;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.resource.kind.Scope;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.Outcome;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what people ask for, if it fits what is there: a mesh exists before what lives in it, takes that along when it goes, and
 * does not go while proxies use it. What only control planes write, people cannot.
 */
public final class Admission {
    private static final KindId MESH = new KindId("Mesh");
    private static final KindId DATAPLANE = new KindId("Dataplane");
    private static final KindId GLOBAL_SECRET = new KindId("GlobalSecret");

    /** Remembers that the first mesh was made, also when it is not there any more. */
    public static final ResourceKey FIRST_MESH_MARK = new ResourceKey(new KindId("Config"), "", "first-mesh");

    /** Of writes that others come between; each time somebody got ahead. */
    private static final int MOST_ATTEMPTS = 100;

    /** State of the control plane that is kept as resources; whoever changed it could bring revoked tokens back. */
    private static final Set<ResourceKey> OWN = Set.of(Revocations.KEY, FIRST_MESH_MARK);

    private final ResourceStore store;
    private final Ownership ownership;

    public Admission(ResourceStore store, Place place) {
        this.store = store;
        this.ownership = new Ownership(place, store);
    }

    /**
     * Why this may not be stored, if so.
     *
     * @param assumedMeshes meshes to take for existing
     */
    public Optional<Refusal> refusalOfPut(Resource resource, Set<String> assumedMeshes) {
        ResourceKey key = resource.key();
        Kind kind = Kinds.require(key.kind());
        if (kind.author() == Author.CONTROL_PLANE) {
            return Optional.of(
                    new Refusal.ReadOnly(key, kind.name() + " resources are written by control planes only"));
        }
        if (OWN.contains(key)) {
            return Optional.of(new Refusal.ReadOnly(key, "the control plane keeps its own state there"));
        }
        if (key.kind().equals(GLOBAL_SECRET) && SigningKeys.isReserved(key.name())) {
            return Optional.of(new Refusal.ReadOnly(key, "the control plane keeps the keys that sign tokens there"));
        }
        Optional<Stored> present = store.find(key);
        if (isSealed(present) || resource.labels().containsKey(SealedSecrets.SEALED_LABEL)) {
            return Optional.of(new Refusal.ReadOnly(key, "sealed secrets belong to the control plane"));
        }
        if (kind.scope() == Scope.MESH
                && !assumedMeshes.contains(key.space())
                && store.find(meshOf(key)).isEmpty()) {
            return Optional.of(new Refusal.Invalid(
                    key, new Violation("mesh", key.space() + " (expected: a mesh that exists; apply it first)")));
        }
        return ownership.refusalOfPut(kind, resource, present);
    }

    /** Stores what {@link #refusalOfPut} does not refuse. What was found out about the resource (its status) stays. */
    public Outcome.Kept put(Resource resource, Expected expected) {
        for (int attempt = 1; ; attempt++) {
            Optional<Stored> before = store.find(resource.key());
            Resource whole = resource.withStatus(
                    before.map(stored -> stored.resource().status()).orElse(null));
            // Whoever does not mind what exactly was there must not put an old status in the place of a newer one.
            Expected found =
                    before.map(stored -> Expected.exactly(stored.revision())).orElse(Expected.absent());
            boolean minds = !(expected instanceof Expected.Anything
                    || (expected instanceof Expected.Present && before.isPresent()));
            try {
                return store(new Change.Put(whole, minds ? expected : found, owner(resource.key())), before.isEmpty());
            } catch (StoreException e) {
                if (minds || attempt == MOST_ATTEMPTS || !(e.failure() instanceof Failure.Conflict)) {
                    throw e;
                }
            }
        }
    }

    private Outcome.Kept store(Change.Put put, boolean isNew) {
        if (!isNew || !put.key().kind().equals(MESH)) {
            return store.put(put);
        }
        List<Change> changes = new ArrayList<>(List.of(put));
        changes.addAll(InitialPolicies.along(put.resource(), store));
        return (Outcome.Kept) store.commit(changes).outcomes().getFirst();
    }

    /** Why this may not be deleted, if so. */
    public Optional<Refusal> refusalOfDelete(ResourceKey key) {
        Optional<Stored> present = store.find(key);
        if (isSealed(present)) {
            return Optional.of(new Refusal.ReadOnly(key, "sealed secrets belong to the control plane"));
        }
        if (OWN.contains(key)) {
            return Optional.of(new Refusal.ReadOnly(key, "the control plane keeps its own state there"));
        }
        if (key.kind().equals(MESH)) {
            long dataplanes = store.list(Query.of(DATAPLANE).inSpace(key.name()).withLimit(1))
                    .total();
            if (dataplanes > 0) {
                return Optional.of(
                        new Refusal.InUse(key, dataplanes + " dataplanes are part of it; delete them first"));
            }
        }
        return ownership.refusalOfDelete(key, present);
    }

    public Outcome.Gone delete(ResourceKey key, Expected expected) {
        return store.delete(key, expected);
    }

    private static @Nullable ResourceKey owner(ResourceKey key) {
        return Kinds.require(key.kind()).scope() == Scope.MESH ? meshOf(key) : null;
    }

    private static ResourceKey meshOf(ResourceKey key) {
        return new ResourceKey(MESH, "", key.space());
    }

    private static boolean isSealed(Optional<Stored> stored) {
        return stored.isPresent() && stored.get().resource().labels().containsKey(SealedSecrets.SEALED_LABEL);
    }
}
