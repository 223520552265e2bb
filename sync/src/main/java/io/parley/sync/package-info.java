/** Keeps zones and the global control plane in step: what one side owns, the other has copies of. */
@NullMarked
package io.parley.sync;

import org.jspecify.annotations.NullMarked;
