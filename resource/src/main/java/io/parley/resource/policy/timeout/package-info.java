/** MeshTimeout: how long connections and requests may take. */
@NullMarked
package io.parley.resource.policy.timeout;

import org.jspecify.annotations.NullMarked;
