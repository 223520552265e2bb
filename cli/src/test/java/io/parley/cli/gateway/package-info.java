/** Gateways the whole way: manifests in, and what real clients and backends see of each other. */
@NullMarked
package io.parley.cli.gateway;

import org.jspecify.annotations.NullMarked;
