/** The contract, run against SQLite, and what happens to it when processes and disks fail. */
@NullMarked
package io.parley.store.sqlite;

import org.jspecify.annotations.NullMarked;
