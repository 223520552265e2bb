package io.parley.control.snapshot;

import io.parley.control.feed.ModelFeed;

import io.parley.control.draft.Flavor;
import io.parley.control.keys.MeshSecrets;
import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Policy;
import io.parley.control.model.Subject;
import io.parley.control.policy.Selection;
import io.parley.store.ResourceStore;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshot of every proxy that asked for one. A step of the model rebuilds the proxies that rest on what it touched; where
 * only endpoints changed, only those are replaced. All building is done by one thread, so that a proxy sees changes in the order
 * in which they were stored.
 */
public final class ProxySnapshots implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxySnapshots.class);

    private final ModelFeed feed;
    private final boolean ownsFeed;
    private final ExecutorService builder = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("snapshots").daemon().factory());
    private final Cells cells;
    private final Map<ProxyKey, List<String>> problems = new ConcurrentHashMap<>();
    private final ModelFeed.Listener listener = update -> submit(() -> apply(update));
    private final CellBuilder work;
    private Model model;

    private ProxySnapshots(ModelFeed feed, SecretTexts texts, boolean ownsFeed, LongSupplier ticker) {
        this.feed = feed;
        this.cells = new Cells(ticker);
        this.ownsFeed = ownsFeed;
        this.work = new CellBuilder(texts);
        this.model = feed.current();
        feed.listen(listener);
        // Whatever happened between the two lines above.
        submit(() -> model = feed.current());
    }

    /**
     * With a feed of its own.
     *
     * @param ticker nanoseconds, by which is told what nobody wants any more
     */
    public static ProxySnapshots open(ResourceStore store, @Nullable String localZone, LongSupplier ticker) {
        return new ProxySnapshots(ModelFeed.open(store, localZone), new MeshSecrets(store)::find, true, ticker);
    }

    /** In which no time passes: whatever was asked for stays. */
    public static ProxySnapshots open(ResourceStore store, @Nullable String localZone) {
        return open(store, localZone, () -> 0);
    }

    public static ProxySnapshots of(ModelFeed feed, SecretTexts texts) {
        return new ProxySnapshots(feed, texts, false, () -> 0);
    }

    public ModelFeed feed() {
        return feed;
    }

    /** The cell of a proxy, which may be there before its Dataplane is; without a snapshot until then. Does not block. */
    public LiveSnapshot of(ProxyKey key) {
        return cells.of(
                        key,
                        cell -> submit(() -> {
                            forgetUnused();
                            build(cell);
                        }))
                .live();
    }

    /** How many proxies there is something kept for. */
    public int size() {
        return cells.keys().size();
    }

    /** What could not be done for a proxy, for people; all else was. */
    public List<String> problems(ProxyKey key) {
        return problems.getOrDefault(key, List.of());
    }

    public Map<ProxyKey, List<String>> problems() {
        return Map.copyOf(problems);
    }

    public Work work() {
        return work.done();
    }

    private void submit(Runnable task) {
        try {
            builder.execute(task);
        } catch (RejectedExecutionException _) {
            LOG.debug("a change came after the end");
        }
    }

    private void apply(Model.Update update) {
        model = update.model();
        work.changed(update);
        forgetUnused();
        Set<ProxyKey> whole = new LinkedHashSet<>();
        Map<ProxyKey, Set<Built.ServiceName>> endpoints = new LinkedHashMap<>();
        if (update.all()) {
            whole.addAll(cells.keys());
        } else {
            update.touched().forEach(subject -> affected(subject, whole, endpoints));
        }
        for (ProxyKey key : whole) {
            Optional.ofNullable(cells.find(key)).ifPresent(this::build);
        }
        endpoints.forEach((key, services) -> {
            ProxyCell cell = cells.find(key);
            if (cell != null && !whole.contains(key)) {
                attempt(cell, () -> work.replaceEndpoints(cell, model, services));
            }
        });
    }

    private void affected(Subject subject, Set<ProxyKey> whole, Map<ProxyKey, Set<Built.ServiceName>> endpoints) {
        switch (subject) {
            case Subject.MeshSettings(String mesh) ->
                cells.keys().stream()
                        .filter(key -> key.mesh().equals(mesh) || key.mesh().isEmpty())
                        .forEach(whole::add);
            case Subject.ZoneProxies _ ->
                cells.keys().stream().filter(key -> key.mesh().isEmpty()).forEach(whole::add);
            case Subject.WayOut _ -> whole.addAll(cells.keys());
            case Subject.DataplaneOf(String mesh, String name) -> {
                for (Flavor flavor : Flavor.values()) {
                    whole.add(new ProxyKey(mesh, name, flavor));
                }
            }
            case Subject.HostNames(String mesh) -> whole.addAll(work.usersOfHostNames(mesh));
            case Subject.ServiceShape(String mesh, String service) ->
                whole.addAll(work.usersOfShape(new Built.ServiceName(mesh, service)));
            case Subject.ServiceEndpoints(String mesh, String service) -> {
                Built.ServiceName name = new Built.ServiceName(mesh, service);
                work.usersOfEndpoints(name)
                        .forEach(key -> endpoints
                                .computeIfAbsent(key, _ -> new LinkedHashSet<>())
                                .add(name));
                whole.addAll(work.usersOfWholeMesh(mesh));
            }
            case Subject.PolicyOf(String mesh, List<Policy> versions) -> policy(mesh, versions, whole);
        }
    }

    private void policy(String mesh, List<Policy> versions, Set<ProxyKey> whole) {
        Optional<MeshModel> found = model.mesh(mesh);
        for (ProxyKey key : cells.keys()) {
            Dataplane dataplane = found.filter(_ -> key.mesh().equals(mesh))
                    .flatMap(each -> each.dataplanes().find(key.name()))
                    .orElse(null);
            if (dataplane != null
                    && versions.stream()
                            .anyMatch(policy -> Selection.mayPick(policy, found.orElseThrow(), dataplane))) {
                whole.add(key);
            }
        }
    }

    private void forgetUnused() {
        for (ProxyKey key : cells.takeUnused()) {
            work.forget(key);
            problems.remove(key);
        }
    }

    private void build(ProxyCell cell) {
        attempt(cell, () -> work.build(cell, model));
    }

    /** One proxy that cannot be made keeps what it has and stops nobody else. */
    private void attempt(ProxyCell cell, java.util.function.Supplier<List<String>> task) {
        List<String> found;
        try {
            found = task.get();
        } catch (RuntimeException e) {
            LOG.error("cannot make the configuration of {}, it keeps the last one", cell.key(), e);
            found = List.of("the configuration could not be made, the last one stays: " + e);
        }
        if (found.isEmpty()) {
            problems.remove(cell.key());
        } else {
            problems.put(cell.key(), found);
        }
    }

    /** Runs until what was asked for before is done: for tests and measurements. */
    public void settle() {
        var _ = java.util.concurrent.CompletableFuture.runAsync(() -> {}, builder)
                .join();
    }

    @Override
    public void close() {
        feed.unlisten(listener);
        if (ownsFeed) {
            feed.close();
        }
        builder.close();
    }
}
