/** A proxy's configuration out of Envoy's resources: a documented subset, read one resource at a time, everything else refused by name. */
@NullMarked
package io.parley.proxy.config.xds;

import org.jspecify.annotations.NullMarked;
