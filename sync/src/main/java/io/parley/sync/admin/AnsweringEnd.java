package io.parley.sync.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.parley.sync.stream.Inlet;
import io.parley.sync.stream.Pipe;
import io.parley.wire.sync.proto.AdminRequest;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end that answers: a zone's. One question after the other, on a thread that may block. */
public final class AnsweringEnd implements Inlet {
    private static final Logger LOG = LoggerFactory.getLogger(AnsweringEnd.class);

    private final Pipe<byte[]> pipe;
    private final Question.Topic topic;
    private final Answer.Source source;
    private final Executor executor;

    public AnsweringEnd(Pipe<byte[]> pipe, Question.Topic topic, Answer.Source source, Executor executor) {
        this.pipe = pipe;
        this.topic = topic;
        this.source = source;
        this.executor = executor;
    }

    /** Begins to listen to questions. */
    public void open() {
        pipe.readNext();
    }

    @Override
    public void message(byte[] bytes) {
        executor.execute(() -> answer(bytes));
    }

    private void answer(byte[] bytes) {
        try {
            AdminRequest request = AdminRequest.parseFrom(bytes);
            pipe.send(answer(Question.of(topic, request))
                    .message(request.getRequestId())
                    .toByteArray());
            pipe.readNext();
        } catch (InvalidProtocolBufferException e) {
            pipe.end(Status.INVALID_ARGUMENT.withDescription("not a question: " + e.getMessage()));
        }
    }

    private Answer answer(Question question) {
        try {
            return source.answer(question);
        } catch (RuntimeException e) {
            LOG.error("cannot answer {}", question, e);
            return new Answer.Failed("a fault in the zone, see its log");
        }
    }

    @Override
    public void ready() {
        // Answers are asked for one by one: they may wait in the transport.
    }

    @Override
    public void ended(Status status) {
        // Nothing is kept.
    }
}
