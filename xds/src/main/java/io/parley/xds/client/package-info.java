/** An xDS client: who watches what, which server is asked for it, and what its answers mean. It knows no gRPC. */
@NullMarked
package io.parley.xds.client;

import org.jspecify.annotations.NullMarked;
