package io.parley.proxy.socket;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoOps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Netty's epoll, which notes what the kernel is told, and refuses a socket if asked to. */
final class RecordedEpoll {
    private final List<EpollIoOps> told = new CopyOnWriteArrayList<>();
    private final AtomicBoolean refusing = new AtomicBoolean();

    List<EpollIoOps> told() {
        return told;
    }

    void forget() {
        told.clear();
    }

    void refuseNext() {
        refusing.set(true);
    }

    IoHandlerFactory over(IoHandlerFactory netty) {
        return executor -> new OverEpoll(netty.newHandler(executor)) {
            @Override
            public IoRegistration register(IoHandle handle) throws Exception {
                return new Noted(super.register(handle));
            }
        };
    }

    private final class Noted implements IoRegistration {
        private final IoRegistration registration;

        Noted(IoRegistration registration) {
            this.registration = registration;
        }

        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty declares it so.
        @Override
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            if (refusing.getAndSet(false)) {
                throw new UncheckedIOException(new IOException("refused"));
            }
            told.add((EpollIoOps) ops);
            return registration.submit(ops);
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
}
