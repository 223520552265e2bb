package io.parley.control.snapshot;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps one of several equal things, for as long as anybody has it. Confined to one thread. */
final class Shared<K, V> {
    private static final class Held<K, V> extends WeakReference<V> {
        private final K key;

        Held(K key, V value, ReferenceQueue<V> queue) {
            super(value, queue);
            this.key = key;
        }
    }

    private final Map<K, Held<K, V>> held = new HashMap<>();
    private final ReferenceQueue<V> dropped = new ReferenceQueue<>();

    /** The one that is known under this key, or this one from now on. */
    V share(K key, V value) {
        forget();
        Held<K, V> known = held.get(key);
        V found = known == null ? null : known.get();
        if (found != null) {
            return found;
        }
        held.put(key, new Held<>(key, value, dropped));
        return value;
    }

    @SuppressWarnings("unchecked") // only our own references are in the queue
    private void forget() {
        for (var gone = poll(); gone != null; gone = poll()) {
            held.remove(((Held<K, V>) gone).key, gone);
        }
    }

    private java.lang.ref.@Nullable Reference<? extends V> poll() {
        return dropped.poll();
    }
}
