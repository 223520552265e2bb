/** The HTTP side of the proxy put together: which handlers a connection gets, and what they share. */
@NullMarked
package io.parley.proxy.serve;

import org.jspecify.annotations.NullMarked;
