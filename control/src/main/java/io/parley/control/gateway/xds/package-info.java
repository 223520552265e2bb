/** Gateways and routes as a proxy is told them: listeners, routes in the order in which they are tried, clusters, secrets. */
@NullMarked
package io.parley.control.gateway.xds;

import org.jspecify.annotations.NullMarked;
