/** MeshTrace: which requests are traced, and where traces go. */
@NullMarked
package io.parley.control.policy.trace;

import org.jspecify.annotations.NullMarked;
