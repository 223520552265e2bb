package io.parley.control.gateway.model;

import java.util.Comparator;

/** A Secret or ConfigMap. */
public record DataName(Type type, Name name) implements Comparable<DataName> {
    /** Which of the two. */
    public enum Type {
        SECRET("Secret"),
        CONFIG_MAP("ConfigMap");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    private static final Comparator<DataName> ORDER =
            Comparator.comparing(DataName::type).thenComparing(DataName::name);

    @Override
    public int compareTo(DataName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return type.word + "/" + name;
    }
}
