/** MeshRateLimit: how many requests and connections are taken. */
@NullMarked
package io.parley.control.policy.ratelimit;

import org.jspecify.annotations.NullMarked;
