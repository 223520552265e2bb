package io.parley.store.sqlite;

import static io.parley.store.Samples.put;

import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.StoreException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/**
 * A program to be killed: writes numbered pairs to a store and says on standard output which of them were acknowledged or
 * refused. Arguments: the data folder, and how many pairs to write at most.
 */
public final class CrashWriter {
    private CrashWriter() {}

    public static void main(String[] arguments) {
        try (ResourceStore store = SqliteStore.open(Path.of(arguments[0]), Retention.DEFAULT, Clock.systemUTC())) {
            long first = CrashCheck.lastNumber(store) + 1;
            for (long number = first; number < first + Long.parseLong(arguments[1]); number++) {
                System.out.println("try " + number);
                try {
                    store.commit(List.of(
                            put(CrashCheck.left(number), number),
                            put(CrashCheck.right(number), number),
                            put(CrashCheck.LAST, number)));
                    System.out.println("ack " + number);
                } catch (StoreException e) {
                    System.out.println("refused " + number + " " + e.getMessage());
                }
            }
        }
        System.out.println("end");
    }
}
