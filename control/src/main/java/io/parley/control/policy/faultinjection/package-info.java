/** MeshFaultInjection: errors, delays and slowness on purpose. */
@NullMarked
package io.parley.control.policy.faultinjection;

import org.jspecify.annotations.NullMarked;
