package io.parley.link.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.EventExecutor;
import io.parley.agreement.version.NodeDescription;
import io.parley.link.Link;
import io.parley.link.LinkException;
import io.parley.link.Rpc;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.server.NodeLink;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.GranularHashes;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.ReportMetadataRequest;
import io.parley.wire.wrpc.proto.SyncConfigError;
import io.parley.wire.wrpc.proto.SyncConfigRequest;
import io.parley.wire.wrpc.proto.SyncConfigResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigServerV1Test {
    private static final World A = world('a');
    private static final World B = world('b');

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final FakeLink link = new FakeLink();
    private final List<String> refusals = new ArrayList<>();
    private Consumer<World> publish = _ -> {};
    private ServiceHandler handler;

    @BeforeEach
    void open() {
        channel.freezeTime();
        var binding = ConfigServerV1.binding(
                (_, world) -> {
                    publish = world;
                    return () -> {};
                },
                new ConfigListener() {
                    @Override
                    public void refused(NodeLink node, String type, String version, String reason) {
                        refusals.add(reason);
                    }
                });
        handler = binding.opener()
                .open(new NodeLink(link, NodePrincipal.named("n"), new NodeDescription("n", "KONG", "3.0.0", "")));
        var _ = handler.serve(
                Services.REPORT_METADATA.method(),
                ReportMetadataRequest.getDefaultInstance().toByteString());
    }

    @AfterEach
    void close() {
        handler.close();
        channel.unfreezeTime();
        channel.finishAndReleaseAll();
    }

    @Test
    void whatTheNodeHasAlreadyIsNotSent() {
        ping(A);
        publish(A);

        assertThat(link.sent).isEmpty();
    }

    @Test
    void aReturnToWhatWasPingedLastIsSentWhenSomethingElseWasSentSince() {
        publish(A);
        accept();
        ping(A);
        publish(B);
        accept();

        publish(A);
        pause();

        assertThat(link.sent).containsExactly(A.hash(), B.hash(), A.hash());
    }

    @Test
    void whatWasAcceptedIsNotSentAgainUntilAPingShowsThatItIsMissing() {
        publish(A);
        accept();
        pause();
        assertThat(link.sent).containsExactly(A.hash());

        ping(B);

        assertThat(link.sent).containsExactly(A.hash(), A.hash());
    }

    @Test
    void aWorldThatWasRefusedIsSentAgainAfterAPingAndThePause() {
        publish(A);
        refuse();

        ping(B);
        assertThat(link.sent).containsExactly(A.hash());
        pause();

        assertThat(link.sent).containsExactly(A.hash(), A.hash());
    }

    @Test
    void aWorldThatWasNotAnsweredIsSentAgainAfterAPing() {
        publish(A);
        link.fail(new LinkException(LinkException.Kind.TIMED_OUT, "no answer"));
        pause();

        ping(B);

        assertThat(link.sent).containsExactly(A.hash(), A.hash());
        assertThat(refusals).containsExactly("no answer");
    }

    private void publish(World world) {
        publish.accept(world);
        channel.runPendingTasks();
    }

    private void ping(World applied) {
        var request = PingCPRequest.newBuilder().setHash(applied.hash()).build();
        var _ = handler.serve(Services.PING_CP.method(), request.toByteString());
    }

    private void accept() {
        link.answer(SyncConfigResponse.newBuilder().setAccepted(true).build());
        pauseOf(1);
    }

    private void refuse() {
        link.answer(SyncConfigResponse.newBuilder()
                .addErrors(SyncConfigError.newBuilder().setEntity("services"))
                .build());
    }

    private void pause() {
        pauseOf(5);
    }

    private void pauseOf(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    private static World world(char digit) {
        return World.pack(new byte[] {'{', '}'}, String.valueOf(digit).repeat(32), GranularHashes.getDefaultInstance());
    }

    /** Remembers the hash of each push, and answers the last one when told. */
    private final class FakeLink implements Link {
        final List<String> sent = new ArrayList<>();
        private CompletableFuture<SyncConfigResponse> last = new CompletableFuture<>();

        void answer(SyncConfigResponse answer) {
            last.complete(answer);
        }

        void fail(LinkException failure) {
            last.completeExceptionally(failure);
        }

        @Override
        public <Q extends Message, T extends Message> CompletableFuture<T> call(
                Rpc<Q, T> rpc, Q request, Duration timeout) {
            sent.add(((SyncConfigRequest) request).getConfigHash());
            last = new CompletableFuture<>();
            return last.thenApply(answer -> rpc.readResponse(answer.toByteString()));
        }

        @Override
        public void close(CloseReason reason) {}

        @Override
        public CompletableFuture<CloseReason> closed() {
            return new CompletableFuture<>();
        }

        @Override
        public EventExecutor loop() {
            return channel.eventLoop();
        }
    }
}
