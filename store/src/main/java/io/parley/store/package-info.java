/** Where resources live: one gapless history of commits, the state it leads to, and a way to follow it. */
@NullMarked
package io.parley.store;

import org.jspecify.annotations.NullMarked;
