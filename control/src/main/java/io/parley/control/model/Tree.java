package io.parley.control.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that never changes: a change gives a new one that shares all but a path of nodes, so that one proxy among
 * thousands costs a few nodes. A balanced (AVL) tree: depth is bounded whatever names people choose.
 */
public final class Tree<K extends Comparable<? super K>, V> {
    private final @Nullable Node<K, V> root;

    private Tree(@Nullable Node<K, V> root) {
        this.root = root;
    }

    private record Node<K, V>(
            K key,
            V value,
            int height,
            int size,
            @Nullable Node<K, V> left,
            @Nullable Node<K, V> right) {}

    public static <K extends Comparable<? super K>, V> Tree<K, V> empty() {
        return new Tree<>(null);
    }

    public int size() {
        return size(root);
    }

    public boolean isEmpty() {
        return root == null;
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(get(key));
    }

    public @Nullable V get(K key) {
        Node<K, V> at = root;
        while (at != null) {
            int order = key.compareTo(at.key);
            if (order == 0) {
                return at.value;
            }
            at = order < 0 ? at.left : at.right;
        }
        return null;
    }

    public boolean contains(K key) {
        return get(key) != null;
    }

    public Tree<K, V> with(K key, V value) {
        return value.equals(get(key)) ? this : new Tree<>(insert(root, key, value));
    }

    public Tree<K, V> without(K key) {
        return contains(key) ? new Tree<>(remove(root, key)) : this;
    }

    /** In the order of keys. */
    public void forEach(BiConsumer<? super K, ? super V> action) {
        visit(root, action);
    }

    /** In the order of keys. */
    public List<V> values() {
        List<V> values = new ArrayList<>(size());
        forEach((_, value) -> values.add(value));
        return values;
    }

    /** In their order. */
    public List<K> keys() {
        List<K> keys = new ArrayList<>(size());
        forEach((key, _) -> keys.add(key));
        return keys;
    }

    private static <K, V> void visit(@Nullable Node<K, V> node, BiConsumer<? super K, ? super V> action) {
        if (node != null) {
            visit(node.left, action);
            action.accept(node.key, node.value);
            visit(node.right, action);
        }
    }

    private static <K extends Comparable<? super K>, V> Node<K, V> insert(@Nullable Node<K, V> node, K key, V value) {
        if (node == null) {
            return node(key, value, null, null);
        }
        int order = key.compareTo(node.key);
        if (order == 0) {
            return node(key, value, node.left, node.right);
        }
        return order < 0
                ? balance(node.key, node.value, insert(node.left, key, value), node.right)
                : balance(node.key, node.value, node.left, insert(node.right, key, value));
    }

    private static <K extends Comparable<? super K>, V> @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
        if (node == null) {
            return null;
        }
        int order = key.compareTo(node.key);
        if (order < 0) {
            return balance(node.key, node.value, remove(node.left, key), node.right);
        }
        if (order > 0) {
            return balance(node.key, node.value, node.left, remove(node.right, key));
        }
        if (node.right == null) {
            return node.left;
        }
        Node<K, V> next = node.right;
        while (next.left != null) {
            next = next.left;
        }
        return balance(next.key, next.value, node.left, remove(node.right, next.key));
    }

    private static <K, V> Node<K, V> balance(K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
        if (left != null && height(left) > height(right) + 1) {
            Node<K, V> inner = left.right;
            if (inner == null || height(left.left) >= height(inner)) {
                return node(left.key, left.value, left.left, node(key, value, inner, right));
            }
            return node(
                    inner.key,
                    inner.value,
                    node(left.key, left.value, left.left, inner.left),
                    node(key, value, inner.right, right));
        }
        if (right != null && height(right) > height(left) + 1) {
            Node<K, V> inner = right.left;
            if (inner == null || height(right.right) >= height(inner)) {
                return node(right.key, right.value, node(key, value, left, inner), right.right);
            }
            return node(
                    inner.key,
                    inner.value,
                    node(key, value, left, inner.left),
                    node(right.key, right.value, inner.right, right.right));
        }
        return node(key, value, left, right);
    }

    private static <K, V> Node<K, V> node(K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
        return new Node<>(
                key, value, 1 + Math.max(height(left), height(right)), 1 + size(left) + size(right), left, right);
    }

    private static int height(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.height;
    }

    private static int size(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.size;
    }

    @Override
    public String toString() {
        return keys().toString();
    }
}
