/** MeshHTTPRoute: which requests go where, and how they are changed. */
@NullMarked
package io.parley.control.policy.httproute;

import org.jspecify.annotations.NullMarked;
