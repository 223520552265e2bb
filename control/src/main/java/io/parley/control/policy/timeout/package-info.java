/** MeshTimeout: how long connections and requests may take. */
@NullMarked
package io.parley.control.policy.timeout;

import org.jspecify.annotations.NullMarked;
