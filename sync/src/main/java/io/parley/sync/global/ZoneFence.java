package io.parley.sync.global;

import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Change;
import io.parley.store.Expected;
import io.parley.store.Outcome;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import io.parley.sync.codec.SyncKinds;
import io.parley.sync.copy.Fence;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A row for each class of kinds that says which stream of a zone may write them. Whoever opens one writes it anew, in whichever control
 * plane; each commit of an earlier one then fails, since the row is not the one that it knows. No API shows it.
 */
final class ZoneFence implements Fence {
    private static final KindId KIND = new KindId("ZoneStream");

    private final ResourceStore store;
    private final List<Stored> rows;

    private ZoneFence(ResourceStore store, List<Stored> rows) {
        this.store = store;
        this.rows = rows;
    }

    /**
     * Shuts out all earlier streams.
     *
     * @param only the class of kinds that the stream carries; nothing if all
     */
    static ZoneFence raise(ResourceStore store, String zone, Optional<PriorityClass> only, String instance) {
        Document spec = Document.of(Document.EMPTY
                .tree()
                .put("globalInstanceId", instance)
                .put("id", UUID.randomUUID().toString()));
        List<Change> changes = Stream.of(PriorityClass.values())
                .filter(each -> only.isEmpty() || only.get() == each)
                .<Change>map(each -> new Change.Put(
                        Resource.of(new ResourceKey(KIND, zone, each.text()), spec), Expected.anything(), owner(zone)))
                .toList();
        return new ZoneFence(
                store,
                store.commit(changes).outcomes().stream()
                        .flatMap(outcome ->
                                outcome instanceof Outcome.Kept kept ? Stream.of(kept.stored()) : Stream.of())
                        .toList());
    }

    private static ResourceKey owner(String zone) {
        return new ResourceKey(SyncKinds.ZONE, "", zone);
    }

    @Override
    public List<Change> proof() {
        return rows.stream()
                .<Change>map(row -> new Change.Put(
                        row.resource(),
                        Expected.exactly(row.revision()),
                        owner(row.key().space())))
                .toList();
    }

    @Override
    public boolean isBroken() {
        return rows.stream()
                .anyMatch(row -> store.find(row.key())
                        .filter(now -> now.revision().equals(row.revision()))
                        .isEmpty());
    }
}
