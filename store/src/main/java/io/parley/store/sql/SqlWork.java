package io.parley.store.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Something done on a connection, by one thread, which neither commits nor closes it. */
@FunctionalInterface
public interface SqlWork<T> {
    T on(Connection connection) throws SQLException;
}
