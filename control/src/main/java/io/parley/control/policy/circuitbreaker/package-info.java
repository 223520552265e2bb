/** MeshCircuitBreaker: how much may be under way, and which endpoints are left alone. */
@NullMarked
package io.parley.control.policy.circuitbreaker;

import org.jspecify.annotations.NullMarked;
