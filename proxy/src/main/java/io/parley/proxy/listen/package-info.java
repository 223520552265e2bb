/** The running proxy: what it listens on and what all its connections share, changed as a whole. */
@NullMarked
package io.parley.proxy.listen;

import org.jspecify.annotations.NullMarked;
