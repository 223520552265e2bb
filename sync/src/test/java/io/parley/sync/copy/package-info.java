/** Copies, one kind at a time. */
@NullMarked
package io.parley.sync.copy;

import org.jspecify.annotations.NullMarked;
