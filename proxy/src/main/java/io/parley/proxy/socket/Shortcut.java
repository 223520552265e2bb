package io.parley.proxy.socket;

/**
 * The way of a socket's bytes past its channel. A pipeline, a buffer of the pool and a queue for a message of a few bytes cost as much as a tenth of
 * the system calls.
 */
@FunctionalInterface
public interface Shortcut {
    /**
     * There are bytes to be read. Called on the event loop.
     *
     * @return whether all of them have been seen to; otherwise the channel is told, as if there were no shortcut
     */
    boolean read();
}
