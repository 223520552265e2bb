package io.parley.proxy.socket;

import io.netty.channel.epoll.EpollIoOps;

/** What epoll reports of a connection, as bits. */
final class Events {
    static final int BYTES = EpollIoOps.EPOLLIN.value();
    static final int ROOM = EpollIoOps.EPOLLOUT.value();
    static final int ERROR = EpollIoOps.EPOLLERR.value();
    static final int END = EpollIoOps.EPOLLRDHUP.value();

    /** EPOLLPRI, for which Netty has no name. */
    static final int URGENT = 0x2;

    /** EPOLLHUP, for which Netty has no name. */
    static final int HANG_UP = 0x10;

    /** What the kernel is to report of every connection. Room is added when one first waits for it, and stays: it would be reported of each as soon as it is accepted. */
    static final int ALWAYS = BYTES | URGENT | END | EpollIoOps.EPOLLET.value();

    private Events() {}

    static boolean has(int events, int some) {
        return (events & some) != 0;
    }
}
