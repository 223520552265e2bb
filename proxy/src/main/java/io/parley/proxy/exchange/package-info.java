/** One request on its way: policies, a server, the answer, and what is done when there is none. */
@NullMarked
package io.parley.proxy.exchange;

import org.jspecify.annotations.NullMarked;
