package io.parley.proxy.pool;

import io.netty.channel.embedded.EmbeddedChannel;

/** A connection that takes one request, and keeps it; if it is shared, it has no room for another. */
record TakenUpstream(EmbeddedChannel channel, boolean isShared) implements Upstream {
    @Override
    public ClientStream begin(Answers answers) {
        throw new IllegalStateException("nobody sends anything here");
    }

    @Override
    public boolean hasRoom() {
        return !isShared;
    }

    @Override
    public boolean isOpen() {
        return channel.isActive();
    }

    @Override
    public String surprise() {
        return "";
    }

    @Override
    public void close() {
        channel.close();
    }

    @Override
    public long idleSince() {
        return 0;
    }
}
