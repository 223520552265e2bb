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
                    yield postgres(text);
                }
                throw new IllegalArgumentException(
                        shown(text) + "(expected: sqlite, memory or postgres://USER:PASSWORD@HOST:PORT/DATABASE)");
            }
        };
    }

    /** What stands before an @ may be a password: then only what is wrong is told. */
    private static String shown(String text) {
        return text.indexOf('@') < 0 ? text + " " : "";
    }

    private static StoreChoice postgres(String text) {
        try {
            return new Postgres(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(shown(text) + e.getMessage(), e);
        }
    }
}
