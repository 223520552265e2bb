/** One synchronisation stream as each end sees it, whichever of them opened the connection. */
@NullMarked
package io.parley.sync.stream;

import org.jspecify.annotations.NullMarked;
