/** The seam between the xDS client and whatever carries its streams. */
@NullMarked
package io.parley.xds.client.transport;

import org.jspecify.annotations.NullMarked;
