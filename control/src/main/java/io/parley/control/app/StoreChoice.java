package io.parley.control.app;

import io.parley.store.postgres.PostgresUrl;

/** Where a control plane keeps resources. */
public sealed interface StoreChoice {
    /** In a file of the data folder. */
    record Sqlite() implements StoreChoice {}

    /** Nowhere: gone with the process. */
    record Memory() implements StoreChoice {}

    /** In a database that several control planes may share. The URL holds a password and is never printed. */
    record Postgres(String url) implements StoreChoice {
        public Postgres {
            PostgresUrl.parse(url);
        }

        @Override
        public String toString() {
            return "Postgres[redacted]";
        }
    }

    static StoreChoice parse(String text) {
        return switch (text) {
            case "sqlite" -> new Sqlite();
            case "memory" -> new Memory();
            default -> {
                if (text.startsWith("postgres://") || text.startsWith("postgresql://")) {
                    // What is wrong with it is told without any of its parts, one of which may be a password.
                    yield new Postgres(text);
                }
                throw new IllegalArgumentException(
                        shown(text) + " (expected: sqlite, memory or postgres://USER:PASSWORD@HOST:PORT/DATABASE)");
            }
        };
    }

    /** Only a word is sure to have no password in it. */
    private static String shown(String text) {
        return text.chars().allMatch(Character::isLetterOrDigit) ? text : "not a store";
    }
}
