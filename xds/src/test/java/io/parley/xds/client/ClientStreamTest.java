package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.v3;
import static io.parley.xds.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.Status;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases C15 to C26 and C28: what is said on a stream with the state of the world. */
class ClientStreamTest {
    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer server = v3();

    @Test
    void c15_anAckCarriesVersionAndNonce() {
        ScriptedServer scripted = rig.start(server);
        rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        assertThat(scripted.sotw().last().getVersionInfo()).isEmpty();
        assertThat(scripted.sotw().last().getResponseNonce()).isEmpty();

        scripted.sotw().send(answer(ResourceType.CLUSTER, "7", "n1", Sample.cluster("a")));

        DiscoveryRequest ack = scripted.sotw().last();
        assertThat(ack.getVersionInfo()).isEqualTo("7");
        assertThat(ack.getResponseNonce()).isEqualTo("n1");
        assertThat(ack.getResourceNamesList()).containsExactly("a");
        assertThat(ack.hasErrorDetail()).isFalse();
        assertThat(ack.getNode().getId()).isEqualTo("node-1");
    }

    @Test
    void c16_aNackCarriesTheErrorAndTheOldVersionAndValidSiblingsAreApplied() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<ClusterLoadAssignment> good = rig.watch(client, ProtoParser.ENDPOINTS, "good");
        Events<ClusterLoadAssignment> bad = rig.watch(client, ProtoParser.ENDPOINTS, "bad");
        scripted.sotw()
                .send(answer(
                        ResourceType.ENDPOINT,
                        "1",
                        "n1",
                        Sample.endpoints("good", "10.0.0.1"),
                        Sample.endpoints("bad", "10.0.0.1")));

        scripted.sotw()
                .send(answer(
                        ResourceType.ENDPOINT,
                        "2",
                        "n2",
                        Sample.endpoints("good", "10.0.0.2"),
                        Sample.endpoints("bad", "not-an-ip")));

        DiscoveryRequest nack = scripted.sotw().last();
        assertThat(nack.getVersionInfo()).isEqualTo("1");
        assertThat(nack.getResponseNonce()).isEqualTo("n2");
        assertThat(nack.getErrorDetail().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT.value());
        assertThat(nack.getErrorDetail().getMessage())
                .isEqualTo("bad: endpoints[0].lb_endpoints[0].endpoint.address.socket_address.address: not-an-ip"
                        + " (expected: an IP address)");
        assertThat(good.seen()).containsExactly("+good@1", "+good@2");
        assertThat(bad.seen()).containsExactly("+bad@1", "!bad INVALID");
    }

    @Test
    void c16_anAnswerAfterANackIsAcceptedAgain() {
        ScriptedServer scripted = rig.start(server);
        rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", garbage(ResourceType.CLUSTER)));
        assertThat(scripted.sotw().last().hasErrorDetail()).isTrue();
        assertThat(scripted.sotw().last().getVersionInfo()).isEmpty();

        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2", Sample.cluster("a")));

        assertThat(scripted.sotw().last().hasErrorDetail()).isFalse();
        assertThat(scripted.sotw().last().getVersionInfo()).isEqualTo("2");
    }

    @Test
    void c16_aResourceWhoseNameCannotBeReadTakesNothingDown() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2", garbage(ResourceType.CLUSTER)));

        assertThat(events.seen()).containsExactly("+a@1");
    }

    @Test
    void c17_anUnknownTypeIsIgnoredAndTheStreamKept() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        int before = scripted.sotw().requests().size();

        scripted.sotw().send(answer("type.googleapis.com/from.the.Future", "1", "n1"));
        scripted.sotw().send(answer(ResourceType.SECRET, "1", "n2"));
        scripted.sotw().send(answer("", "1", "n3"));

        assertThat(scripted.sotw().requests()).hasSize(before);
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n4", Sample.cluster("a")));
        assertThat(events.seen()).containsExactly("+a@1");
        assertThat(scripted.streamCount()).isEqualTo(1);
    }

    @Test
    void c17_aResourceOfAnotherTypeInAnAnswerIsRefused() {
        ScriptedServer scripted = rig.start(server);
        rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");

        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.listener("a")));

        assertThat(scripted.sotw().last().getErrorDetail().getMessage()).contains("(expected: CLUSTER)");
    }

    @Test
    void c18_aResourceThatNobodyAskedForIsIgnored() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");

        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a"), Sample.cluster("unasked")));

        assertThat(events.seen()).containsExactly("+a@1");
        assertThat(scripted.sotw().last().hasErrorDetail()).isFalse();
    }

    @Test
    void c19_aNameGivenTwiceIsRefused() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Cluster> a = rig.watch(client, ProtoParser.CLUSTERS, "a");
        Events<Cluster> b = rig.watch(client, ProtoParser.CLUSTERS, "b");

        scripted.sotw()
                .send(answer(
                        ResourceType.CLUSTER,
                        "1",
                        "n1",
                        Sample.cluster("a"),
                        Sample.cluster("b"),
                        Sample.cluster("a", 3)));

        assertThat(scripted.sotw().last().getErrorDetail().getMessage()).isEqualTo("a: given twice in one answer");
        assertThat(a.seen()).containsExactly("!a INVALID");
        assertThat(b.seen()).containsExactly("+b@1");
    }

    @Test
    void c20_aListenerOrClusterThatIsNoLongerSentIsGone() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Cluster> cluster = rig.watch(client, ProtoParser.CLUSTERS, "a");
        Events<Listener> listener = rig.watch(client, ProtoParser.LISTENERS, "l");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));
        scripted.sotw().send(answer(ResourceType.LISTENER, "1", "n2", Sample.listener("l")));

        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n3"));
        scripted.sotw().send(answer(ResourceType.LISTENER, "2", "n4"));

        assertThat(cluster.seen()).containsExactly("+a@1", "-a NOT_FOUND");
        assertThat(listener.seen()).containsExactly("+l@1", "-l NOT_FOUND");
    }

    @Test
    void c20_withIgnoreResourceDeletionItIsKept() {
        XdsServer keeping = v3("ignore_resource_deletion");
        ScriptedServer scripted = rig.start(keeping);
        XdsClient client = rig.client(keeping);
        Events<Cluster> events = rig.watch(client, ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2"));

        assertThat(events.seen()).containsExactly("+a@1", "!a NOT_FOUND");
        assertThat(rig.watch(client, ProtoParser.CLUSTERS, "a").seen()).contains("+a@1");
    }

    @Test
    void c21_anEmptyAnswerAboutRoutesOrEndpointsChangesNothing() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<RouteConfiguration> route = rig.watch(client, ProtoParser.ROUTES, "r");
        Events<ClusterLoadAssignment> endpoints = rig.watch(client, ProtoParser.ENDPOINTS, "e");
        scripted.sotw().send(answer(ResourceType.ROUTE, "1", "n1", Sample.route("r")));
        scripted.sotw().send(answer(ResourceType.ENDPOINT, "1", "n2", Sample.endpoints("e", "::1")));

        scripted.sotw().send(answer(ResourceType.ROUTE, "2", "n3"));
        scripted.sotw().send(answer(ResourceType.ENDPOINT, "2", "n4"));

        assertThat(route.seen()).containsExactly("+r@1");
        assertThat(endpoints.seen()).containsExactly("+e@1");
        assertThat(scripted.sotw().last().getVersionInfo()).isEqualTo("2");
    }

    @Test
    void c22_aResourceThatDoesNotComeIn15SecondsIsAbsent() {
        rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");

        rig.loop.advance(Duration.ofMillis(14_999));
        assertThat(events.seen()).isEmpty();
        rig.loop.advance(Duration.ofMillis(1));

        assertThat(events.seen()).containsExactly("-a NOT_FOUND");
        assertThat(events.trouble().message()).isEqualTo("a: nothing from " + server.uri() + " in 15 s (node node-1)");
    }

    @Test
    void c22_itMayComeLater() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        rig.loop.advance(Duration.ofSeconds(15));

        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        assertThat(events.seen()).containsExactly("-a NOT_FOUND", "+a@1");
    }

    @Test
    void c22_theTimerRunsOnlyWhileConnected() {
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");

        rig.loop.advance(Duration.ofSeconds(60));

        assertThat(events.seen()).isNotEmpty().containsOnly("!a UNREACHABLE");
    }

    @Test
    void c22_theTimerStartsAgainOnTheNextStream() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        rig.loop.advance(Duration.ofSeconds(10));
        scripted.sotw().fail(Status.UNAVAILABLE);
        assertThat(scripted.streamCount())
                .as("immediate, for the stream had lasted")
                .isEqualTo(1);
        rig.loop.advance(Duration.ZERO);
        assertThat(scripted.streamCount()).isEqualTo(2);

        rig.loop.advance(Duration.ofSeconds(14));
        assertThat(events.seen()).containsExactly("!a UNREACHABLE");
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(events.seen()).containsExactly("!a UNREACHABLE", "-a NOT_FOUND");
    }

    @Test
    void c22_aServerThatIsJustSlowHas30SecondsAndIsNotBelievedToSayNo() {
        XdsServer slow = v3("resource_timer_is_transient_error");
        rig.start(slow);
        Events<Cluster> events = rig.watch(rig.client(slow), ProtoParser.CLUSTERS, "a");

        rig.loop.advance(Duration.ofMillis(29_999));
        assertThat(events.seen()).isEmpty();
        rig.loop.advance(Duration.ofMillis(1));

        assertThat(events.seen()).containsExactly("!a SLOW");
    }

    @Test
    void c23_aNewStreamKeepsVersionsForgetsNoncesAndAsksForEverythingAgain() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Cluster> cluster = rig.watch(client, ProtoParser.CLUSTERS, "c");
        Events<Listener> listener = rig.watch(client, ProtoParser.LISTENERS, "l");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "5", "n1", Sample.cluster("c")));

        scripted.sotw().end();
        rig.loop.advance(Duration.ofSeconds(1));

        assertThat(scripted.streamCount()).isEqualTo(2);
        assertThat(scripted.sotw().requests())
                .satisfiesExactlyInAnyOrder(
                        request -> {
                            assertThat(request.getTypeUrl()).isEqualTo(ResourceType.CLUSTER.url(ApiVersion.V3));
                            assertThat(request.getVersionInfo()).isEqualTo("5");
                            assertThat(request.getResponseNonce()).isEmpty();
                            assertThat(request.getResourceNamesList()).containsExactly("c");
                        },
                        request -> {
                            assertThat(request.getTypeUrl()).isEqualTo(ResourceType.LISTENER.url(ApiVersion.V3));
                            assertThat(request.getVersionInfo()).isEmpty();
                            assertThat(request.getResourceNamesList()).containsExactly("l");
                        });
        assertThat(cluster.seen()).containsExactly("+c@5");
        assertThat(listener.seen()).isEmpty();
    }

    @Test
    void c24_aStreamThatEndsAfterAnAnswerIsNoError() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        scripted.sotw().fail(Status.UNAVAILABLE);
        rig.loop.advance(Duration.ofSeconds(1));

        assertThat(events.seen()).containsExactly("+a@1");
        assertThat(scripted.streamCount()).isEqualTo(2);
    }

    @Test
    void c24_aStreamThatEndsBeforeIsOneAndTheWaitGrowsUntilAnAnswer() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");

        for (long wait : List.of(1000L, 1600L, 2560L)) {
            int streams = scripted.streamCount();
            scripted.sotw().fail(Status.UNAVAILABLE.withDescription("busy"));
            rig.loop.advance(Duration.ofMillis(wait - 1));
            assertThat(scripted.streamCount()).isEqualTo(streams);
            rig.loop.advance(Duration.ofMillis(1));
            assertThat(scripted.streamCount()).isEqualTo(streams + 1);
        }
        assertThat(events.seen()).containsExactly("!a UNREACHABLE", "!a UNREACHABLE", "!a UNREACHABLE");
        assertThat(events.trouble().message()).isEqualTo(server.uri() + ": UNAVAILABLE: busy");

        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1"));
        scripted.sotw().fail(Status.UNAVAILABLE);
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(scripted.streamCount()).isEqualTo(5);
    }

    @Test
    void c26_theLastWatchThatEndsEmptiesTheListAndKeepsTheNonce() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Watch watch = client.watch(ProtoParser.CLUSTERS, "a", new Events<>());
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        watch.close();

        DiscoveryRequest last = scripted.sotw().last();
        assertThat(last.getResourceNamesList()).isEmpty();
        assertThat(last.getResponseNonce()).isEqualTo("n1");
        assertThat(last.getVersionInfo()).isEqualTo("1");
    }

    @Test
    void c28_badEndpointsAreRefused() {
        ScriptedServer scripted = rig.start(server);
        Events<ClusterLoadAssignment> events = rig.watch(rig.client(server), ProtoParser.ENDPOINTS, "a");

        scripted.sotw().send(answer(ResourceType.ENDPOINT, "1", "n1", Sample.endpoints("a", "example.org")));

        assertThat(scripted.sotw().last().hasErrorDetail()).isTrue();
        assertThat(events.seen()).containsExactly("!a INVALID");
        rig.loop.advance(Duration.ofSeconds(15));
        assertThat(events.seen()).as("it was answered, badly").containsExactly("!a INVALID");
    }

    @Test
    void theNextAnswerIsReadOnlyWhenWatchersAreDone() {
        ScriptedServer scripted = rig.start(server);
        Queue<Runnable> work = new ArrayDeque<>();
        Events<Cluster> events = new Events<>();
        rig.client(server).watch(ProtoParser.CLUSTERS, "a", events, work::add);
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a", 1)));
        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2", Sample.cluster("a", 2)));

        assertThat(scripted.sotw().last().getVersionInfo()).isEqualTo("1");
        assertThat(work).hasSize(1);
        work.remove().run();

        assertThat(scripted.sotw().last().getVersionInfo()).isEqualTo("2");
        work.remove().run();
        assertThat(events.seen()).containsExactly("+a@1", "+a@2");
    }

    private static Any garbage(ResourceType type) {
        return Any.newBuilder()
                .setTypeUrl(type.url(ApiVersion.V3))
                .setValue(ByteString.copyFromUtf8("\377\377\377"))
                .build();
    }
}
