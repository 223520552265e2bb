/** Connections to servers that are kept for the next request, on each event loop its own. */
@NullMarked
package io.parley.proxy.pool;

import org.jspecify.annotations.NullMarked;
