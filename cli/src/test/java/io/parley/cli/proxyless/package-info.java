/** Members of a mesh that are no proxies of ours by the link: programs that speak xDS and mutual TLS themselves, proxies by xDS. */
@NullMarked
package io.parley.cli.proxyless;

import org.jspecify.annotations.NullMarked;
