/** MeshFaultInjection: errors, delays and slowness on purpose. */
@NullMarked
package io.parley.resource.policy.faultinjection;

import org.jspecify.annotations.NullMarked;
