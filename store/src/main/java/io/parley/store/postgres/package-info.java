/** A store that several control planes share: PostgreSQL, its notifications to wake watchers, a lease to settle who leads. */
@NullMarked
package io.parley.store.postgres;

import org.jspecify.annotations.NullMarked;
