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

    /** Of which API the messages are. They have the same numbers in both, and travel under other ones. */
    public enum Messages {
        V2,
        V3
    }

    /**
     * @param messages that the peer understands
     */
    public Multiplexed(
            Pipe<byte[]> pipe,
            Messages messages,
            Function<Pipe<EncodedResponse>, SendingEnd> sending,
            Function<Pipe<byte[]>, ReceivingEnd> receiving) {
        this.pipe = pipe;
        this.sending = sending.apply(new Answers(pipe, messages));
        this.receiving = receiving.apply(new Requests(pipe, messages));
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

    private record Answers(Pipe<byte[]> pipe, Messages messages) implements Pipe<EncodedResponse> {
        @Override
        public boolean isReady() {
            return pipe.isReady();
        }

        @Override
        public void send(EncodedResponse response) {
            ByteString bytes = ByteString.copyFrom(response.toByteArray());
            MultiplexMessage.Builder message = MultiplexMessage.newBuilder();
            switch (messages) {
                case V2 -> message.setLegacyResponse(bytes);
                case V3 -> message.setResponse(bytes);
            }
            pipe.send(message.build().toByteArray());
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

    private record Requests(Pipe<byte[]> pipe, Messages messages) implements Pipe<byte[]> {
        @Override
        public boolean isReady() {
            return pipe.isReady();
        }

        @Override
        public void send(byte[] request) {
            ByteString bytes = ByteString.copyFrom(request);
            MultiplexMessage.Builder message = MultiplexMessage.newBuilder();
            switch (messages) {
                case V2 -> message.setLegacyRequest(bytes);
                case V3 -> message.setRequest(bytes);
            }
            pipe.send(message.build().toByteArray());
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
