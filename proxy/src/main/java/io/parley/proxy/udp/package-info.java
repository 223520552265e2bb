/** Datagrams through a gateway: each client keeps the endpoint that its first one went to, for as long as it is not silent. */
@NullMarked
package io.parley.proxy.udp;

import org.jspecify.annotations.NullMarked;
