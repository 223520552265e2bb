/** MeshHealthCheck: how endpoints are probed. */
@NullMarked
package io.parley.resource.policy.healthcheck;

import org.jspecify.annotations.NullMarked;
