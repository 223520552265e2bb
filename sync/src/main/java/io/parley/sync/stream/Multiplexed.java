package io.parley.sync.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.parley.wire.sync.proto.MultiplexMessage;
import io.parley.xds.server.session.EncodedResponse;
import java.util.function.Function;

/**
 * Version 1: a sending and a receiving end on one stream. Each gets a pipe of its own; what comes is told apart by whether it asks or
 * answers.
 */
public final class Multiplexed implements Inlet {
    private final Pipe<byte[]> pipe;
    private final SendingEnd sending;
    private final ReceivingEnd receiving;

    public Multiplexed(
            Pipe<byte[]> pipe,
            Function<Pipe<EncodedResponse>, SendingEnd> sending,
            Function<Pipe<byte[]>, ReceivingEnd> receiving) {
        this.pipe = pipe;
        this.sending = sending.apply(new Answers(pipe));
        this.receiving = receiving.apply(new Requests(pipe));
    }

    /** Begins on both ends. One message is let in for each: a slow store holds back answers, not requests. */
    public void open() {
        sending.open();
        receiving.open();
    }

    @Override
    public void ready() {
        sending.ready();
    }

    @Override
    public void message(byte[] bytes) {
        try {
            MultiplexMessage message = MultiplexMessage.parseFrom(bytes);
            switch (message.getValueCase()) {
                // Messages of the older API have the same numbers.
                case REQUEST -> sending.message(message.getRequest().toByteArray());
                case LEGACY_REQUEST ->
                    sending.message(message.getLegacyRequest().toByteArray());
                case RESPONSE -> receiving.message(message.getResponse().toByteArray());
                case LEGACY_RESPONSE ->
                    receiving.message(message.getLegacyResponse().toByteArray());
                case VALUE_NOT_SET -> pipe.readNext();
            }
        } catch (InvalidProtocolBufferException e) {
            pipe.end(Status.INVALID_ARGUMENT.withDescription("not a multiplexed message: " + e.getMessage()));
        }
    }

    @Override
    public void ended(Status status) {
        sending.ended(status);
        receiving.ended(status);
    }

    private record Answers(Pipe<byte[]> pipe) implements Pipe<EncodedResponse> {
        @Override
        public boolean isReady() {
            return pipe.isReady();
        }

        @Override
        public void send(EncodedResponse response) {
            pipe.send(MultiplexMessage.newBuilder()
                    .setResponse(ByteString.copyFrom(response.toByteArray()))
                    .build()
                    .toByteArray());
        }

        @Override
        public void readNext() {
            pipe.readNext();
        }

        @Override
        public void end(Status status) {
            pipe.end(status);
        }
    }

    private record Requests(Pipe<byte[]> pipe) implements Pipe<byte[]> {
        @Override
        public boolean isReady() {
            return pipe.isReady();
        }

        @Override
        public void send(byte[] request) {
            pipe.send(MultiplexMessage.newBuilder()
                    .setRequest(ByteString.copyFrom(request))
                    .build()
                    .toByteArray());
        }

        @Override
        public void readNext() {
            pipe.readNext();
        }

        @Override
        public void end(Status status) {
            pipe.end(status);
        }
    }
}
