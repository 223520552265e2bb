/** The embedded default: one SQLite file in the data folder, one process that has it open, durable at each commit. */
@NullMarked
package io.parley.store.sqlite;

import org.jspecify.annotations.NullMarked;
