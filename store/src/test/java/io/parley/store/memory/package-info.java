/** The contract, run against memory. */
@NullMarked
package io.parley.store.memory;

import org.jspecify.annotations.NullMarked;
