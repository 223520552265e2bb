/** MeshRateLimit: how many requests and connections are taken. */
@NullMarked
package io.parley.resource.policy.ratelimit;

import org.jspecify.annotations.NullMarked;
