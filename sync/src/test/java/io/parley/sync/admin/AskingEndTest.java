package io.parley.sync.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.parley.sync.stream.Pipe;
import io.parley.wire.sync.proto.AdminRequest;
import io.parley.wire.sync.proto.AdminResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AskingEndTest {
    private static final Question QUESTION = new Question(Question.Topic.CONFIG, "Dataplane", "default", "web-1");

    private final AskingEnd end = new AskingEnd(new Hasty());

    /** Kuma sends first, and an answer that comes at once finds nobody waiting for it. */
    @Test
    void case49_anAnswerThatComesWhileTheQuestionIsBeingSentIsHeard() {
        assertThat(end.ask(QUESTION, Duration.ofMinutes(1)).join()).isEqualTo(new Answer.Failed("at once"));
    }

    /** Answers inside of the call that sends the question. */
    private final class Hasty implements Pipe<byte[]> {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void send(byte[] question) {
            try {
                end.message(AdminResponse.newBuilder()
                        .setRequestId(AdminRequest.parseFrom(question).getRequestId())
                        .setError("at once")
                        .build()
                        .toByteArray());
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void readNext() {}

        @Override
        public void end(Status status) {}
    }
}
