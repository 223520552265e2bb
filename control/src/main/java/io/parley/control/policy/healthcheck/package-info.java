/** MeshHealthCheck: how endpoints are probed. */
@NullMarked
package io.parley.control.policy.healthcheck;

import org.jspecify.annotations.NullMarked;
