/** The client status discovery service: which client has accepted or rejected what. */
@NullMarked
package io.parley.xds.server.status;

import org.jspecify.annotations.NullMarked;
