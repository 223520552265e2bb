/** MeshAccessLog: where requests and connections are logged. */
@NullMarked
package io.parley.control.policy.accesslog;

import org.jspecify.annotations.NullMarked;
