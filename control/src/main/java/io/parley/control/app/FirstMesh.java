package io.parley.control.app;

import io.parley.control.access.Place;
import io.parley.control.admission.Admission;
import io.parley.control.admission.InitialPolicies;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/** A new store gets a mesh called default, with the policies that meshes come with, so that the first manifest finds a home. Deleted, it stays gone. */
final class FirstMesh {
    private static final ResourceKey DEFAULT = new ResourceKey(new KindId("Mesh"), "", "default");

    private static final ResourceKey MARK = Admission.FIRST_MESH_MARK;

    private final ResourceStore store;

    private final Place place;

    FirstMesh(ResourceStore store, Place place) {
        this.store = store;
        this.place = place;
    }

    void create() {
        if (store.find(MARK).isPresent()) {
            return;
        }
        try {
            Resource mesh = Resource.of(DEFAULT, Document.EMPTY);
            List<Change> changes = new ArrayList<>(List.of(
                    new Change.Put(
                            Resource.of(MARK, new Document("{\"config\":\"created\"}")), Expected.absent(), null),
                    new Change.Put(mesh, Expected.anything(), null)));
            if (!(place instanceof Place.Zone)) { // a zone gets them from global
                changes.addAll(InitialPolicies.along(mesh, store));
            }
            store.commit(changes);
        } catch (StoreException e) {
            // Another control plane on the same database was a moment earlier.
            if (!(e.failure() instanceof Failure.Conflict)) {
                throw e;
            }
        }
    }
}
