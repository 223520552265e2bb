/** The contract, run against a real PostgreSQL server, and what happens when that server fails. */
@NullMarked
package io.parley.store.postgres;

import org.jspecify.annotations.NullMarked;
