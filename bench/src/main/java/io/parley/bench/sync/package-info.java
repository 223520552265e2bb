/** What keeping zones in step costs: changes beside the state of the world, many zones, and what overtakes what. */
@NullMarked
package io.parley.bench.sync;

import org.jspecify.annotations.NullMarked;
