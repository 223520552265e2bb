package io.parley.xds.server;

import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.envoyproxy.envoy.type.matcher.v3.NodeMatcher;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parley.xds.server.StatusClient.Told;
import io.parley.xds.server.session.Rejection;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How client status is asked for, and what its answers are bounded by. */
class ClientStatusTest {
    /** {@code StringMatcher.regex}, which v3 reserves. */
    private static final int V2_REGEX = 4;

    private final Inbox<ClientStatusRequest, ClientStatusResponse> inbox = new Inbox<>();
    private final AtomicBoolean askWhenAcknowledged = new AtomicBoolean();
    private final StatusRig rig = new StatusRig(new StreamListener() {
        @Override
        public void acknowledged(StreamInfo stream, String typeUrl, String version, @Nullable Rejection standing) {
            if (askWhenAcknowledged.get()) {
                askAndEnd(ClientStatusRequest.getDefaultInstance());
            }
        }
    });

    @AfterEach
    void stop() throws InterruptedException {
        rig.stop();
    }

    /** It is asked in the middle of a stream's turn, so that the stream's state cannot be told at once. */
    @Test
    void whoEndsItsSideAtOnceIsAnsweredAllTheSame() {
        askWhenAcknowledged.set(true);
        StatusClient client = StatusClient.open(rig.channel, ApiVersion.V3, DiscoveryMethod.Variant.SOTW, "a");
        client.acknowledge(client.next());

        assertThat(inbox.end().isOk()).isTrue();
        assertThat(inbox.next().getConfig(0).getGenericXdsConfigs(0).getName()).isEqualTo("a");
    }

    static Stream<StringMatcher> unknownMatchers() {
        return Stream.of(
                StringMatcher.newBuilder()
                        .setSafeRegex(RegexMatcher.newBuilder().setRegex("web-.*"))
                        .build(),
                StringMatcher.newBuilder()
                        .setUnknownFields(UnknownFieldSet.newBuilder()
                                .addField(
                                        V2_REGEX,
                                        UnknownFieldSet.Field.newBuilder()
                                                .addLengthDelimited(ByteString.copyFromUtf8("web-.*"))
                                                .build())
                                .build())
                        .build());
    }

    @ParameterizedTest
    @MethodSource("unknownMatchers")
    void saysWhichMatchersItDoesNotKnow(StringMatcher matcher) {
        askAndEnd(ClientStatusRequest.newBuilder()
                .addNodeMatchers(NodeMatcher.newBuilder().setNodeId(matcher))
                .build());

        Status end = inbox.end();
        assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(end.getDescription()).contains("node_matchers");
    }

    @Test
    void whatIsTooLargeForOneAnswerIsRefusedWithHowToAskForLess() {
        for (int client = 0; client < 100; client++) {
            StatusClient.open(rig.channel, ApiVersion.V3, DiscoveryMethod.Variant.DELTA, "a", "b", "name-" + client);
        }
        askAndEnd(ClientStatusRequest.getDefaultInstance());

        Status end = inbox.end();
        assertThat(end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(end.getDescription()).contains("4096 bytes").contains("node_matchers");
    }

    @Test
    void oneClientIsToldOfHoweverMuchItHas() {
        String[] names = IntStream.range(0, 1000).mapToObj(i -> "name-" + i).toArray(String[]::new);
        StatusClient.open(rig.channel, ApiVersion.V3, DiscoveryMethod.Variant.DELTA, names);

        assertThat(rig.config().getGenericXdsConfigsCount()).isEqualTo(1000);
    }

    /** Clients of v2 know no more than one status for all of a type. */
    @Test
    void v2IsToldTheWorstOfEachType() {
        rig.live.publish(Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"), cluster("b"))));
        StatusClient client = StatusClient.open(rig.channel, ApiVersion.V2, DiscoveryMethod.Variant.DELTA, CLUSTER);
        Told good = client.next();
        client.acknowledge(good);
        assertThat(ofV2().getStatusValue()).isEqualTo(ConfigStatus.SYNCED_VALUE);
        assertThat(ofV2().getClusterConfig().getVersionInfo()).isEqualTo(good.version());

        rig.live.publish(Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a", 2), cluster("b"))));
        client.reject(client.next(), "bad a");

        assertThat(ofV2().getStatusValue()).isEqualTo(ConfigStatus.ERROR_VALUE);
        assertThat(ofV2().getClusterConfig().getVersionInfo()).isEqualTo(good.version());
    }

    private io.envoyproxy.envoy.service.status.v2.PerXdsConfig ofV2() {
        return io.envoyproxy.envoy.service.status.v2.ClientStatusDiscoveryServiceGrpc.newBlockingStub(rig.channel)
                .fetchClientStatus(io.envoyproxy.envoy.service.status.v2.ClientStatusRequest.getDefaultInstance())
                .getConfig(0)
                .getXdsConfig(0);
    }

    private void askAndEnd(ClientStatusRequest request) {
        StreamObserver<ClientStatusRequest> requests =
                ClientStatusDiscoveryServiceGrpc.newStub(rig.channel).streamClientStatus(inbox);
        requests.onNext(request);
        requests.onCompleted();
    }
}
