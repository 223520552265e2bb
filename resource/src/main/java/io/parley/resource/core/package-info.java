/** What Services and EndpointSlices say, as far as the mesh and its gateways ask. */
@NullMarked
package io.parley.resource.core;

import org.jspecify.annotations.NullMarked;
