package io.parley.proxy.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers by prefix: all those whose prefix a path begins with are found in one walk along the path, however many others there are. */
final class PrefixTrie {
    private static final class Node {
        private char[] letters = {};
        private Node[] children = {};
        private int[] numbers = {};

        private Node child(char letter) {
            int at = Arrays.binarySearch(letters, letter);
            if (at >= 0) {
                return children[at];
            }
            int place = -at - 1;
            letters = Arrays.copyOf(letters, letters.length + 1);
            children = Arrays.copyOf(children, children.length + 1);
            System.arraycopy(letters, place, letters, place + 1, letters.length - place - 1);
            System.arraycopy(children, place, children, place + 1, children.length - place - 1);
            letters[place] = letter;
            children[place] = new Node();
            return children[place];
        }
    }

    private final Node root = new Node();

    /** Numbers must come in ascending order. */
    void add(String prefix, int number) {
        Node node = root;
        for (int i = 0; i < prefix.length(); i++) {
            node = node.child(prefix.charAt(i));
        }
        node.numbers = Arrays.copyOf(node.numbers, node.numbers.length + 1);
        node.numbers[node.numbers.length - 1] = number;
    }

    /** The numbers of each prefix that the path begins with, the shortest first. */
    List<int[]> find(String path) {
        List<int[]> found = new ArrayList<>(2);
        Node node = root;
        for (int i = 0; i <= path.length(); i++) {
            if (node.numbers.length > 0) {
                found.add(node.numbers);
            }
            int at = i == path.length() ? -1 : Arrays.binarySearch(node.letters, path.charAt(i));
            if (at < 0) {
                return found;
            }
            node = node.children[at];
        }
        return found;
    }
}
