/** MeshCircuitBreaker: limits on connections, and which endpoints are taken out of use. */
@NullMarked
package io.parley.resource.policy.circuitbreaker;

import org.jspecify.annotations.NullMarked;
