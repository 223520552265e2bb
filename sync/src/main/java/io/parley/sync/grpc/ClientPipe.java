package io.parley.sync.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.parley.sync.stream.Inlet;
import io.parley.sync.stream.Pipe;

/** A stream that we opened. */
public final class ClientPipe<M> extends ClientCall.Listener<byte[]> implements Pipe<M> {
    private final ClientCall<M, byte[]> call;
    private final Object lock = new Object();
    private volatile Inlet inlet;
    private boolean ended;

    private ClientPipe(ClientCall<M, byte[]> call, Inlet inlet) {
        this.call = call;
        this.inlet = inlet;
    }

    /** Opens a call; its end is attached before anything is read. */
    public static <M> ClientPipe<M> open(ClientCall<M, byte[]> call, Metadata headers, Inlet first) {
        ClientPipe<M> pipe = new ClientPipe<>(call, first);
        call.start(pipe, headers);
        return pipe;
    }

    public void attach(Inlet end) {
        inlet = end;
    }

    @Override
    public boolean isReady() {
        return call.isReady();
    }

    @Override
    public void send(M message) {
        synchronized (lock) {
            if (!ended) {
                call.sendMessage(message);
            }
        }
    }

    @Override
    public void readNext() {
        synchronized (lock) {
            if (!ended) {
                call.request(1);
            }
        }
    }

    @Override
    public void end(Status status) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            ended = true;
            if (status.isOk()) {
                call.halfClose();
            }
            // gRPC drops a cancellation if the connection is lost by then, and keeps what has come and was not asked
            // for, without ever calling onClose (NettyClientStream, MessageDeframer).
            // So it is asked for, and thrown away.
            call.request(Integer.MAX_VALUE);
            call.cancel(status.getDescription() == null ? "no longer needed" : status.getDescription(), null);
        }
        inlet.ended(status);
    }

    @Override
    public void onReady() {
        inlet.ready();
    }

    @Override
    public void onMessage(byte[] message) {
        synchronized (lock) {
            if (ended) {
                return;
            }
        }
        inlet.message(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            ended = true;
        }
        inlet.ended(status);
    }
}
