/** Copies of what another control plane owns: taken over item by item, never half, never over somebody else's. */
@NullMarked
package io.parley.sync.copy;

import org.jspecify.annotations.NullMarked;
