package io.parley.resource.read;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class Spelling {
    private static final int MOST_CHANGES = 2;
    private static final int LONGEST = 64;

    private Spelling() {}

    public static Optional<String> closest(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        return known.stream()
                .filter(name -> changes(word, name) <= Math.min(MOST_CHANGES, name.length() / 2))
                .min(Comparator.comparingInt(name -> changes(word, name)));
    }

    /** How many letters must be put in, taken out or replaced to turn one word into the other. */
    private static int changes(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = previous[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
