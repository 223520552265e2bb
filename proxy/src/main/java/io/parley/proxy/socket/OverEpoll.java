package io.parley.proxy.socket;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/** Does as another handler of sockets does, but for what a subclass changes. */
abstract class OverEpoll implements IoHandler {
    private final IoHandler epoll;

    OverEpoll(IoHandler epoll) {
        this.epoll = epoll;
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return epoll.run(context);
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return epoll.register(handle);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return epoll.isCompatible(type);
    }
}
