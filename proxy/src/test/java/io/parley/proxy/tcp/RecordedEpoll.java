package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoOps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Netty's epoll, which notes what the kernel is told, and refuses one socket if asked to. */
final class RecordedEpoll {
    private final List<EpollIoOps> told = new CopyOnWriteArrayList<>();
    private volatile @Nullable Channel refused;

    List<EpollIoOps> told() {
        return told;
    }

    void forget() {
        told.clear();
    }

    void refuse(Channel channel) {
        refused = channel;
    }

    IoHandlerFactory over(IoHandlerFactory netty) {
        return executor -> new OverEpoll(netty.newHandler(executor)) {
            @Override
            public IoRegistration register(IoHandle handle) throws Exception {
                return new Noted(handle, super.register(handle));
            }
        };
    }

    private final class Noted implements IoRegistration {
        private final IoHandle handle;
        private final IoRegistration registration;

        Noted(IoHandle handle, IoRegistration registration) {
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
            Channel unwanted = refused;
            if (unwanted != null && unwanted.unsafe().equals(handle)) {
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
