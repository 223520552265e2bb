/** MeshRetry: when and how often a failed request is tried again. */
@NullMarked
package io.parley.resource.policy.retry;

import org.jspecify.annotations.NullMarked;
