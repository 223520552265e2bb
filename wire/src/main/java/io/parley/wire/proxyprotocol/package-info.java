/** The PROXY protocol, versions 1 and 2, by which a load balancer tells who its client is. */
@NullMarked
package io.parley.wire.proxyprotocol;

import org.jspecify.annotations.NullMarked;
