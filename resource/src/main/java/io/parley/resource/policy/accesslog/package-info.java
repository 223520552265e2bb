/** MeshAccessLog: where requests and connections are logged. */
@NullMarked
package io.parley.resource.policy.accesslog;

import org.jspecify.annotations.NullMarked;
