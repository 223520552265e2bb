package io.parley.sync.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.parley.agreement.sync.Features;
import io.parley.sync.stream.Inlet;
import io.parley.sync.stream.Pipe;
import org.jspecify.annotations.Nullable;

/** A stream that a peer opened. Until it is attached to an end nothing is read from it. */
public final class ServerPipe<M> extends ServerCall.Listener<byte[]> implements Pipe<M> {
    private final ServerCall<byte[], M> call;
    private final Object lock = new Object();
    private @Nullable Inlet inlet;
    private @Nullable Status ended;

    public ServerPipe(ServerCall<byte[], M> call) {
        this.call = call;
    }

    /** Lets an end have the stream, and tells the peer what we can do; false if it has gone meanwhile. */
    public boolean attach(Inlet end, Features ours) {
        synchronized (lock) {
            if (ended != null) {
                return false;
            }
            inlet = end;
            Metadata headers = new Metadata();
            SyncHeaders.putFeatures(headers, ours);
            call.sendHeaders(headers);
            return true;
        }
    }

    @Override
    public boolean isReady() {
        return call.isReady();
    }

    @Override
    public void send(M message) {
        synchronized (lock) {
            if (ended == null) {
                call.sendMessage(message);
            }
        }
    }

    @Override
    public void readNext() {
        synchronized (lock) {
            if (ended == null) {
                call.request(1);
            }
        }
    }

    @Override
    public void end(Status status) {
        synchronized (lock) {
            if (ended != null) {
                return;
            }
            ended = status;
            call.close(status, new Metadata());
        }
        tellEnd(status);
    }

    @Override
    public void onReady() {
        Inlet end = attached();
        if (end != null) {
            end.ready();
        }
    }

    @Override
    public void onMessage(byte[] message) {
        Inlet end = attached();
        if (end != null) {
            end.message(message);
        }
    }

    @Override
    public void onHalfClose() {
        end(Status.OK);
    }

    @Override
    public void onCancel() {
        gone(Status.CANCELLED);
    }

    @Override
    public void onComplete() {
        gone(Status.OK);
    }

    private void gone(Status status) {
        synchronized (lock) {
            if (ended != null) {
                return;
            }
            ended = status;
        }
        tellEnd(status);
    }

    private void tellEnd(Status status) {
        Inlet end = attached();
        if (end != null) {
            end.ended(status);
        }
    }

    private @Nullable Inlet attached() {
        synchronized (lock) {
            return inlet;
        }
    }
}
