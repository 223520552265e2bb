/** Envoy's messages about HTTP read into the proxy's own values; what is not understood is said with its path. */
@NullMarked
package io.parley.proxy.config.xds.http;

import org.jspecify.annotations.NullMarked;
