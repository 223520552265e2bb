/** Traces of requests: the context that travels with them by W3C's rules, which are sampled, and the span of each. */
@NullMarked
package io.parley.proxy.trace;

import org.jspecify.annotations.NullMarked;
