package io.parley.proxy.socket;

import io.netty.channel.ChannelOutboundBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What goes out on a socket: whether the kernel takes more of it, and why it never will again. */
final class Writing {
    private final EdgeSocket socket;

    /** The kernel took no more. */
    private boolean full;

    private @Nullable IOException failure;

    Writing(EdgeSocket socket) {
        this.socket = socket;
    }

    boolean isFull() {
        return full;
    }

    /** There is room; whether anything waits for it. */
    boolean goesOn() {
        boolean waited = full && failure == null;
        full &= !waited;
        return waited;
    }

    /** Why nothing can be sent any more; null as long as that is not so. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /**
     * Sends what the kernel takes. If it never will again, what has come before is read before the connection is closed for it: it may be
     * an answer that says why.
     */
    void write(ChannelOutboundBuffer waiting) throws Exception {
        try {
            send(waiting);
        } catch (IOException e) {
            failure = e;
            full = true;
            socket.readToTheEnd();
        }
    }

    private void send(ChannelOutboundBuffer waiting) throws Exception {
        for (int turns = socket.config().getWriteSpinCount(); !waiting.isEmpty(); turns--) {
            if (turns == 0) {
                // Others have their turn first.
                socket.flushLater();
                return;
            }
            if (!socket.epoll().gathering().send(waiting, socket.descriptor())) {
                full = true;
                socket.watchForRoom();
                return;
            }
        }
    }
}
