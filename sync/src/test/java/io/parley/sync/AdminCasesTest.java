package io.parley.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.store.ResourceStore;
import io.parley.sync.admin.Answer;
import io.parley.sync.admin.Question;
import io.parley.sync.admin.Question.Topic;
import io.parley.sync.admin.ZoneQuestion;
import io.parley.sync.global.GlobalSync;
import io.parley.sync.grpc.SyncMethods;
import io.parley.sync.zone.Channels;
import io.parley.sync.zone.LinkState;
import io.parley.sync.zone.ZoneSync;
import io.parley.wire.sync.proto.AdminRequest;
import io.parley.wire.sync.proto.AdminResponse;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What global asks a zone about its proxies. */
class AdminCasesTest {
    private static final Answer NOT_CONNECTED = new Answer.Failed("not connected");
    private static final Question QUESTION = new Question(Topic.CONFIG, "Dataplane", "default", "web-1");

    private final ResourceStore store = Samples.store();
    private final GlobalNode global = GlobalNode.on(store);

    @AfterEach
    void close() {
        global.close();
        store.close();
    }

    @Test
    void case49_aZoneAnswersAndItsErrorsArePassedBack() {
        ResourceStore own = Samples.store();
        try (ZoneSync zone = zone(
                own,
                global.port(),
                question -> question.topic() == Topic.CONFIG
                        ? new Answer.Found("{\"of\":\"" + question.name() + "\"}")
                        : new Answer.Failed("no " + question.topic()))) {
            assertThat(zone.states()).isNotEmpty();
            await().untilAsserted(() -> assertThat(ask(QUESTION)).isEqualTo(new Answer.Found("{\"of\":\"web-1\"}")));
            await().untilAsserted(() -> assertThat(ask(new Question(Topic.STATS, "Dataplane", "default", "web-1")))
                    .isEqualTo(new Answer.Failed("no STATS")));
        }
        await().untilAsserted(() -> assertThat(ask(QUESTION)).isEqualTo(NOT_CONNECTED));
        assertThat(global.sync().ask(new ZoneQuestion("", "nowhere", QUESTION))).isEmpty();
    }

    @Test
    void case49_anAnswerToNobodyIsIgnoredAndAnswersComeInAnyOrder() throws Exception {
        try (RawPeer peer = new RawPeer(global.port(), "zone-1")) {
            RawPeer.Stream<AdminResponse, AdminRequest> stream =
                    peer.open(SyncMethods.GLOBAL_SERVICE, Topic.CONFIG.method(), AdminRequest.parser());
            CompletableFuture<Answer> first = await().until(() -> asked(QUESTION), asked -> !asked.isDone());
            CompletableFuture<Answer> second = asked(QUESTION);
            String earlier = stream.next().getRequestId();
            String later = stream.next().getRequestId();
            stream.send(AdminResponse.newBuilder()
                    .setRequestId("unheard-of")
                    .setError("?")
                    .build());
            stream.send(AdminResponse.newBuilder()
                    .setRequestId(later)
                    .setError("too busy")
                    .build());
            stream.send(AdminResponse.newBuilder().setRequestId(earlier).build());
            assertThat(second.join()).isEqualTo(new Answer.Failed("too busy"));
            assertThat(first.join()).isEqualTo(new Answer.Failed("the zone answered without a result"));
            stream.sendBytes(new byte[] {1, 2, 3});
            assertThat(stream.end.join().getCode()).isEqualTo(io.grpc.Status.Code.INVALID_ARGUMENT);
        }
    }

    /** As the first of Kuma's global control planes with delta streams were. */
    @Test
    void case16_aGlobalWithoutQuestionsHealthOrHandshakeIsFollowedAllTheSame() throws Exception {
        Samples.put(store, Samples.timeout("t", 20));
        ResourceStore own = Samples.store();
        try (GlobalSync sync = new GlobalSync(
                Tenants.single(store), GlobalNode.CREDULOUS, GlobalNode.settings(), new SimpleMeterRegistry())) {
            Server bare = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .addService(sync.services().getFirst())
                    .build()
                    .start();
            try (ZoneSync zone = zone(own, bare.getPort(), Answer.Source.NOBODY)) {
                await().untilAsserted(() ->
                        assertThat(Samples.names(own, Samples.TIMEOUT)).containsExactly("t"));
                await().until(() -> zone.states().stream().anyMatch(LinkState.Connected.class::isInstance));
            } finally {
                bare.shutdownNow();
            }
        }
    }

    private Answer ask(Question question) {
        return asked(question).join();
    }

    private CompletableFuture<Answer> asked(Question question) {
        return global.sync()
                .ask(new ZoneQuestion("", "zone-1", question))
                .orElseGet(() -> CompletableFuture.completedFuture(NOT_CONNECTED));
    }

    private static ZoneSync zone(ResourceStore store, int port, Answer.Source answers) {
        return ZoneSync.start(
                store,
                new Channels(URI.create("grpc://127.0.0.1:" + port), null, null),
                ZoneNode.settings("zone-1"),
                answers,
                new SimpleMeterRegistry());
    }
}
