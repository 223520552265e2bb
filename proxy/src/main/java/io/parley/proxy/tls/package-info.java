/** Mutual TLS between proxies: who we are, whom we trust, and who the other side turned out to be. */
@NullMarked
package io.parley.proxy.tls;

import org.jspecify.annotations.NullMarked;
