/** Our xDS server beside java-control-plane: the same clients, the same changes, the same gRPC, one after the other. */
@NullMarked
package io.parley.bench.xds;

import org.jspecify.annotations.NullMarked;
