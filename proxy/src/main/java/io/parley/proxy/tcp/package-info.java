/** One connection's way through the proxy: accepted, detected, agreed, dialled, joined. */
@NullMarked
package io.parley.proxy.tcp;

import org.jspecify.annotations.NullMarked;
