package io.parley.control.feed;

import io.parley.control.model.Model;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import io.parley.store.Event;
import io.parley.store.ResourceStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Keeps a model up to date with a store and tells listeners of each step. */
public final class ModelFeed implements AutoCloseable {
    /** Is told of each step on the feed's thread: must only note it and return. */
    @FunctionalInterface
    public interface Listener {
        void changed(Model.Update update);
    }

    private static final Set<KindId> NOT_READ = Set.of(new KindId("core/Secret"), new KindId("core/ConfigMap"));

    private final @Nullable String localZone;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final StoreFeed feed;
    private volatile Model current;

    private ModelFeed(ResourceStore store, @Nullable String localZone) {
        this.localZone = localZone;
        this.current = Model.empty(localZone);
        List<KindId> kinds = Kinds.all().stream()
                .map(Kind::id)
                .filter(kind -> !NOT_READ.contains(kind))
                .toList();
        this.feed = StoreFeed.open(store, kinds, new Steps(), "model-feed");
    }

    /**
     * Reads all that there is, then follows. When this returns the model is there.
     *
     * @param localZone the zone that this control plane serves; null if there are none
     */
    public static ModelFeed open(ResourceStore store, @Nullable String localZone) {
        return new ModelFeed(store, localZone);
    }

    public Model current() {
        return current;
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    public void unlisten(Listener listener) {
        listeners.remove(listener);
    }

    private final class Steps implements StoreFeed.Sink {
        /** Into a fresh model: whoever listens takes it for a change of all. */
        @Override
        public void reset(List<Event> all) {
            publish(new Model.Update(Model.empty(localZone).after(all).model(), Set.of(), true));
        }

        @Override
        public void step(List<Event> events) {
            publish(current.after(events));
        }

        private void publish(Model.Update update) {
            current = update.model();
            listeners.forEach(listener -> listener.changed(update));
        }
    }

    @Override
    public void close() {
        feed.close();
    }
}
