package io.parley.sync.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.parley.sync.stream.Inlet;
import io.parley.sync.stream.Pipe;
import io.parley.wire.sync.proto.AdminResponse;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end that asks: global's. Answers come in any order, or not at all. */
public final class AskingEnd implements Inlet {
    private static final Logger LOG = LoggerFactory.getLogger(AskingEnd.class);
    private static final int MOST_WAITING = 1_000;

    private final Pipe<byte[]> pipe;
    private final Map<String, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
    private volatile boolean ended;

    public AskingEnd(Pipe<byte[]> pipe) {
        this.pipe = pipe;
    }

    /** Begins to listen to answers. */
    public void open() {
        pipe.readNext();
    }

    /** Whether the zone is still there to be asked. */
    public boolean isOpen() {
        return !ended;
    }

    /** Asks; the answer is a failure if none comes in time. */
    public CompletableFuture<Answer> ask(Question question, Duration patience) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        if (waiting.size() >= MOST_WAITING) {
            answer.complete(new Answer.Failed(MOST_WAITING + " questions wait for the zone already"));
            return answer;
        }
        String id = UUID.randomUUID().toString();
        // First of all: the answer may be here before the question is sent, as it were (case 49).
        waiting.put(id, answer);
        if (ended) {
            failAll();
        } else {
            pipe.send(question.message(id).toByteArray());
        }
        return answer.completeOnTimeout(
                        new Answer.Failed("the zone did not answer within " + patience.toSeconds() + " s"),
                        patience.toMillis(),
                        TimeUnit.MILLISECONDS)
                .whenComplete((_, _) -> waiting.remove(id));
    }

    @Override
    public void message(byte[] bytes) {
        try {
            AdminResponse response = AdminResponse.parseFrom(bytes);
            CompletableFuture<Answer> asked = waiting.get(response.getRequestId());
            if (asked == null) {
                LOG.debug("an answer to nobody's question, or too late: {}", response.getRequestId());
            } else {
                asked.complete(Answer.of(response));
            }
            pipe.readNext();
        } catch (InvalidProtocolBufferException e) {
            pipe.end(Status.INVALID_ARGUMENT.withDescription("not an answer: " + e.getMessage()));
        }
    }

    @Override
    public void ready() {
        // Questions are few and small: they may wait in the transport.
    }

    @Override
    public void ended(Status status) {
        ended = true;
        failAll();
    }

    private void failAll() {
        waiting.values().forEach(asked -> asked.complete(new Answer.Failed("the zone has gone")));
    }
}
