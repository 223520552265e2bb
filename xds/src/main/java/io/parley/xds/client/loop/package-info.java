/** Time and order for the xDS client: one thing at a time, timers, and how long to wait before trying again. */
@NullMarked
package io.parley.xds.client.loop;

import org.jspecify.annotations.NullMarked;
