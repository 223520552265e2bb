package io.parley.proxy.tcp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Netty's epoll, with every open socket kept registered. Netty 4.2.18 takes a socket out of epoll when it has nothing to wait
 * for (since netty pull request 16689), remembers it as still in, and fails with ENOENT when it is needed again. That is the state of
 * a client that has ended its output and waits for the answer: a long answer to it would fail. Here such a socket waits for nothing,
 * edge-triggered: it stays registered, and errors on it are still told, once.
 */
final class SteadyEpoll implements IoHandler {
    private final IoHandler epoll;

    private SteadyEpoll(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory netty = EpollIoHandler.newFactory();
        return executor -> new SteadyEpoll(netty.newHandler(executor));
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Steady(epoll.register(handle));
    }

    private record Steady(IoRegistration registration) implements IoRegistration {
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty declares it so.
        @Override
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            return registration.submit(ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLET : ops);
        }

        @Override
        public boolean isValid() {
            return registration.isValid();
        }

        @Override
        public boolean cancel() {
            return registration.cancel();
        }
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
