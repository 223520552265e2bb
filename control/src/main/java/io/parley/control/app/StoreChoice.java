package io.parley.control.app;

/** Where a control plane keeps resources. */
public sealed interface StoreChoice {
    /** In a file of the data folder. */
    record Sqlite() implements StoreChoice {}

    /** Nowhere: gone with the process. */
    record Memory() implements StoreChoice {}

    /** In a database that several control planes may share. The URL holds a password and is never printed. */
    record Postgres(String url) implements StoreChoice {
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
                    yield new Postgres(text);
                }
                throw new IllegalArgumentException("store: " + text
                        + " (expected: sqlite, memory or postgres://USER:PASSWORD@HOST:PORT/DATABASE)");
            }
        };
    }
}
