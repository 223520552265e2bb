/** What the proxy tells about itself: numbers for Prometheus, a line for each connection. */
@NullMarked
package io.parley.proxy.telemetry;

import org.jspecify.annotations.NullMarked;
