/** What a link costs: to open, to use, and to keep. */
@NullMarked
package io.parley.bench.link;

import org.jspecify.annotations.NullMarked;
