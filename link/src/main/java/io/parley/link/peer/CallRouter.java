package io.parley.link.peer;

import com.google.protobuf.ByteString;
import io.parley.wire.wrpc.Method;
import java.util.concurrent.CompletableFuture;

/** Decides who serves a call of the peer. Throws {@link io.parley.link.CallRefusal} if nobody does. */
@FunctionalInterface
public interface CallRouter {
    CompletableFuture<ByteString> route(Method method, ByteString payload);
}
