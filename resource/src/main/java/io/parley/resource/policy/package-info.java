/** What policies have in common: how they pick proxies, destinations and callers, and the small values they share. */
@NullMarked
package io.parley.resource.policy;

import org.jspecify.annotations.NullMarked;
