/** How policies pick proxies, destinations and callers, which of several wins, and why: every merged field carries its reason. */
@NullMarked
package io.parley.control.policy;

import org.jspecify.annotations.NullMarked;
