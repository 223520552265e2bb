/** Who calls, and what they may do. */
@NullMarked
package io.parley.control.access;

import org.jspecify.annotations.NullMarked;
