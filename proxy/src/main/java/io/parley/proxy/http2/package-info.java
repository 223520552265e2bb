/** HTTP/2 and gRPC: frames, streams and windows, with a limit for everything that a peer can make grow. */
@NullMarked
package io.parley.proxy.http2;

import org.jspecify.annotations.NullMarked;
