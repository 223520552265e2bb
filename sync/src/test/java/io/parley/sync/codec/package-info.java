/** What travels, and in which form. */
@NullMarked
package io.parley.sync.codec;

import org.jspecify.annotations.NullMarked;
