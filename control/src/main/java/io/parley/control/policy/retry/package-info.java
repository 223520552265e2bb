/** MeshRetry: when a connection or a request is tried again. */
@NullMarked
package io.parley.control.policy.retry;

import org.jspecify.annotations.NullMarked;
