/** The xDS client's streams over gRPC, with the credentials of the bootstrap file. */
@NullMarked
package io.parley.xds.client.grpc;

import org.jspecify.annotations.NullMarked;
