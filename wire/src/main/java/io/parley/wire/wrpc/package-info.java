/** wRPC frames: bytes from a stranger become a call, a reply, a failure, or the exact reason why they are none. */
@NullMarked
package io.parley.wire.wrpc;

import org.jspecify.annotations.NullMarked;
