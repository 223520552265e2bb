/** A store on any SQL database: the tables and the statements on them. Connections and their faults are the database's own. */
@NullMarked
package io.parley.store.sql;

import org.jspecify.annotations.NullMarked;
