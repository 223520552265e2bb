/** The zone's end: connections to the global control plane that come back by themselves. */
@NullMarked
package io.parley.sync.zone;

import org.jspecify.annotations.NullMarked;
