package io.parley.store.sqlite;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's errors mean. The low byte of an extended code is the primary one. */
final class SqliteFaults {
    private SqliteFaults() {}

    static StoreException unavailable(SQLException e) {
        return new StoreException(new Failure.Unavailable(describe(e)), e);
    }

    private static String describe(SQLException e) {
        return switch (primary(e)) {
            case SQLITE_FULL -> "the disk is full; nothing was written, free some space";
            case SQLITE_IOERR -> "the disk failed (" + e.getMessage() + "); nothing was acknowledged";
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                "the file is damaged (" + e.getMessage() + "); restore it from a backup";
            default -> String.valueOf(e.getMessage());
        };
    }

    /** True if the failed transaction certainly left nothing on disk that a later one could build on. */
    static boolean leavesFileTrusted(SQLException e) {
        return switch (primary(e)) {
            case SQLITE_FULL, SQLITE_BUSY, SQLITE_TOOBIG, SQLITE_CONSTRAINT -> true;
            default -> false;
        };
    }

    private static SQLiteErrorCode primary(SQLException e) {
        return e instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & 0xff)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }
}
