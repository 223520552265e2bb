package io.parley.proxy.tcp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty's epoll with two changes.
 *
 * <p>Every open socket is kept registered. Netty 4.2.18 takes a socket out of epoll when it has nothing to wait
 * for (since netty pull request 16689), remembers it as still in, and fails with ENOENT when it is needed again. That is the state of
 * a client that has ended its output and waits for the answer: a long answer to it would fail. Here such a socket waits for nothing,
 * edge-triggered: it stays registered, and errors on it are still told, once.
 *
 * <p>The kernel is told what a socket waits for just before the loop waits, once, and only if it is something else than before. Netty tells it
 * at each step, of which there are ten in the life of a connection that carries one message.
 */
final class SteadyEpoll extends OverEpoll {
    private static final Logger LOG = LoggerFactory.getLogger(SteadyEpoll.class);

    private final ThreadAwareExecutor loop;
    private final ArrayDeque<Steady> changed = new ArrayDeque<>();

    private SteadyEpoll(IoHandler epoll, ThreadAwareExecutor loop) {
        super(epoll);
        this.loop = loop;
    }

    static IoHandlerFactory newFactory() {
        return over(EpollIoHandler.newFactory());
    }

    static IoHandlerFactory over(IoHandlerFactory netty) {
        return executor -> new SteadyEpoll(netty.newHandler(executor), executor);
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Steady(handle, super.register(handle));
    }

    private final class Steady implements IoRegistration {
        private final IoHandle handle;
        private final IoRegistration registration;
        private EpollIoOps wanted = EpollIoOps.NONE;
        private EpollIoOps told = EpollIoOps.NONE;
        private boolean queued;

        Steady(IoHandle handle, IoRegistration registration) {
            this.handle = handle;
            this.registration = registration;
        }

        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty declares it so.
        @Override
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            if (!loop.isExecutorThread(Thread.currentThread())) {
                throw new IllegalStateException("called off its event loop: " + Thread.currentThread());
            }
            wanted = ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLET : (EpollIoOps) ops;
            if (!queued) {
                queued = true;
                changed.add(this);
            }
            return wanted.value();
        }

        private void tell() {
            queued = false;
            if (!wanted.equals(told) && registration.isValid()) {
                try {
                    registration.submit(wanted);
                    told = wanted;
                } catch (UncheckedIOException e) {
                    LOG.warn("a socket that the kernel does not watch is closed", e);
                    close();
                }
            }
        }

        private void close() {
            try {
                handle.close();
            } catch (Exception e) {
                LOG.warn("it could not be closed", e);
            }
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
    public int run(IoHandlerContext context) {
        for (Steady next = changed.poll(); next != null; next = changed.poll()) {
            next.tell();
        }
        return super.run(context);
    }
}
