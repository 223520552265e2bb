/** Both proxies of a hop are replaced again and again while real programs ask through them. */
@NullMarked
package io.parley.bench.restart;

import org.jspecify.annotations.NullMarked;
