/** What the proxy tells about itself: numbers for Prometheus, and what goes wrong again and again as one line now and then. */
@NullMarked
package io.parley.proxy.telemetry;

import org.jspecify.annotations.NullMarked;
