/** HTTP/2 and gRPC: streams on top of Netty's frames, with a limit for everything that a peer can make grow. */
@NullMarked
package io.parley.proxy.http2;

import org.jspecify.annotations.NullMarked;
