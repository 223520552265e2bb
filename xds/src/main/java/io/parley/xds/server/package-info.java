/** The xDS server: gRPC streams of every name and version of the API, each driving a session of the protocol. It knows nothing of meshes. */
@NullMarked
package io.parley.xds.server;

import org.jspecify.annotations.NullMarked;
