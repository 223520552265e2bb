package io.parley.control.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TreeTest {
    @Test
    void holdsWhatASortedMapHoldsWhateverHappensToIt() {
        long seed = 20261116;
        Random random = new Random(seed);
        TreeMap<String, Integer> expected = new TreeMap<>();
        Tree<String, Integer> tree = Tree.empty();
        for (int round = 0; round < 20_000; round++) {
            String key = "k" + random.nextInt(500);
            if (random.nextInt(3) == 0) {
                expected.remove(key);
                tree = tree.without(key);
            } else {
                expected.put(key, round);
                tree = tree.with(key, round);
            }
        }
        assertThat(tree.keys()).as("seed " + seed).containsExactlyElementsOf(expected.keySet());
        assertThat(tree.values()).containsExactlyElementsOf(expected.values());
        assertThat(tree.size()).isEqualTo(expected.size());
    }

    @Test
    void leavesTheOldOneAsItWas() {
        Tree<String, Integer> one = Tree.<String, Integer>empty().with("a", 1);
        Tree<String, Integer> two = one.with("b", 2).without("a");
        assertThat(one.keys()).containsExactly("a");
        assertThat(two.keys()).containsExactly("b");
    }

    @Test
    void isTheSameAfterAChangeThatChangesNothing() {
        Tree<String, Integer> tree = Tree.<String, Integer>empty().with("a", 1);
        assertThat(tree.with("a", 1)).isSameAs(tree);
        assertThat(tree.without("b")).isSameAs(tree);
    }
}
