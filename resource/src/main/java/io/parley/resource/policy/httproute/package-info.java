/** MeshHTTPRoute: which requests go where, and how they are changed on the way. */
@NullMarked
package io.parley.resource.policy.httproute;

import org.jspecify.annotations.NullMarked;
