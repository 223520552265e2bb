package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.bootstrap;
import static io.parley.xds.client.ClientRig.server;
import static io.parley.xds.client.ClientRig.v3;
import static io.parley.xds.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.parley.agreement.version.FeatureTable;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.grpc.GrpcTransport;
import io.parley.xds.client.loop.Backoff;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case C25 (gRPC A71) and authorities (gRPC A47): which server is asked. */
class ClientFallbackTest {
    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer first = v3();
    private final XdsServer second = v3();

    @Test
    void c25_asksTheNextServerForEverythingWhenTheFirstFailsAndSomethingIsMissing() {
        ScriptedServer fallback = rig.start(second);
        XdsClient client = rig.client(first, second);

        Events<Cluster> a = rig.watch(client, ProtoParser.CLUSTERS, "a");
        Events<Cluster> b = rig.watch(client, ProtoParser.CLUSTERS, "b");

        assertThat(fallback.sotw().last().getResourceNamesList()).containsExactly("a", "b");
        fallback.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a"), Sample.cluster("b")));
        assertThat(a.seen()).containsExactly("+a@1");
        assertThat(b.seen()).containsExactly("+b@1");
    }

    @Test
    void c25_returnsToTheFirstWithItsFirstAnswer() {
        ScriptedServer fallback = rig.start(second);
        Events<Cluster> events = rig.watch(rig.client(first, second), ProtoParser.CLUSTERS, "a");
        fallback.sotw().send(answer(ResourceType.CLUSTER, "old", "n1", Sample.cluster("a", 1)));

        ScriptedServer primary = rig.start(first);
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(fallback.sotw().hasEnded()).as("not before an answer").isFalse();
        assertThat(primary.sotw().last().getVersionInfo())
                .as("versions belong to a server")
                .isEmpty();
        primary.sotw().send(answer(ResourceType.CLUSTER, "new", "n1", Sample.cluster("a", 2)));

        assertThat(fallback.sotw().hasEnded()).isTrue();
        assertThat(events.seen()).containsExactly("+a@old", "+a@new");
    }

    /** A server that is told its own old version has nothing to say, and the client would stay with what the other one said. */
    @Test
    void c25_theFirstIsNotToldOfAVersionThatAnotherServerHasReplacedSince() {
        ScriptedServer primary = rig.start(first);
        ScriptedServer fallback = rig.start(second);
        XdsClient client = rig.client(first, second);
        Events<Cluster> all = new Events<>();
        client.watchAll(ProtoParser.CLUSTERS, all);
        primary.sotw().send(answer(ResourceType.CLUSTER, "of the first", "n1", Sample.cluster("a", 1)));
        primary.sotw().fail(Status.UNAVAILABLE);
        primary.close();
        rig.loop.advance(Duration.ofSeconds(2));
        rig.watch(client, ProtoParser.LISTENERS, "missing");
        fallback.sotw().send(answer(ResourceType.CLUSTER, "of the second", "n1", Sample.cluster("a", 2)));

        ScriptedServer again = rig.start(first);
        rig.loop.advance(Duration.ofSeconds(10));

        assertThat(again.sotw().requests())
                .filteredOn(request -> request.getTypeUrl().equals(ResourceType.CLUSTER.url(ApiVersion.V3)))
                .first()
                .satisfies(request -> assertThat(request.getVersionInfo()).isEmpty());
    }

    @Test
    void c25_afterTheReturnTheFirstHasItsTimeToAnswerForTheRest() {
        rig.start(second);
        XdsClient client = rig.client(first, second);
        rig.watch(client, ProtoParser.CLUSTERS, "a");
        Events<Listener> missing = rig.watch(client, ProtoParser.LISTENERS, "missing");
        ScriptedServer primary = rig.start(first);
        rig.loop.advance(Duration.ofSeconds(1));

        primary.sotw().send(answer(ResourceType.CLUSTER, "new", "n1", Sample.cluster("a", 2)));
        rig.loop.advance(Duration.ofSeconds(15));

        assertThat(missing.seen()).containsExactly("-missing NOT_FOUND");
    }

    @Test
    void c25_doesNotFallBackWhenAllIsCached() {
        ScriptedServer primary = rig.start(first);
        ScriptedServer fallback = rig.start(second);
        XdsClient client = rig.client(first, second);
        Events<Cluster> events = rig.watch(client, ProtoParser.CLUSTERS, "a");
        primary.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));
        primary.sotw().fail(Status.UNAVAILABLE);
        primary.close();

        rig.loop.advance(Duration.ofSeconds(10));

        assertThat(fallback.streamCount()).isZero();
        assertThat(events.seen()).startsWith("+a@1", "!a UNREACHABLE");

        rig.watch(client, ProtoParser.CLUSTERS, "b");
        assertThat(fallback.sotw().last().getResourceNamesList()).containsExactly("a", "b");
    }

    @Test
    void c25_doesNotFallBackForAServerThatAnswersAndThenEnds() {
        ScriptedServer primary = rig.start(first);
        ScriptedServer fallback = rig.start(second);
        rig.watch(rig.client(first, second), ProtoParser.CLUSTERS, "a");
        primary.sotw().send(answer(ResourceType.CLUSTER, "1", "n1"));

        primary.sotw().end();
        rig.loop.advance(Duration.ofSeconds(1));

        assertThat(primary.streamCount()).isEqualTo(2);
        assertThat(fallback.streamCount()).isZero();
    }

    @Test
    void c25_troubleIsReportedWhenNoServerIsLeft() {
        Events<Cluster> events = rig.watch(rig.client(first, second), ProtoParser.CLUSTERS, "a");

        assertThat(events.seen()).containsExactly("!a UNREACHABLE");
        assertThat(events.trouble().message()).startsWith(second.uri());
    }

    @Test
    void aServerWithoutACommonVersionIsPassedOver() {
        XdsServer old = server("xds_v3");
        XdsServer recent = server("xds_v3_1");
        ScriptedServer fallback = rig.start(recent);
        FeatureTable<ApiVersion> future = new FeatureTable<>(List.of(
                new FeatureTable.Line<>(ApiVersion.V2, "xds_v4"), new FeatureTable.Line<>(ApiVersion.V3, "xds_v3_1")));
        XdsClient client = new XdsClient(
                new ClientSettings(
                        bootstrap(old, recent), Variant.SOTW, future, ClientRig.AGENT, List.of(), Backoff.DEFAULT),
                server -> GrpcTransport.over(InProcessChannelBuilder.forName(server.uri())
                        .directExecutor()
                        .build()),
                rig.loop,
                () -> 0);
        Events<Cluster> events = rig.watch(client, ProtoParser.CLUSTERS, "a");

        assertThat(fallback.sotw().last().getResourceNamesList()).containsExactly("a");
        assertThat(events.seen()).isEmpty();
        client.close();
    }

    @Test
    void aServerWithoutACommonVersionIsReported() {
        FeatureTable<ApiVersion> future = new FeatureTable<>(List.of(new FeatureTable.Line<>(ApiVersion.V3, "xds_v9")));
        XdsClient client = new XdsClient(
                new ClientSettings(bootstrap(first), Variant.SOTW, future, ClientRig.AGENT, List.of(), Backoff.DEFAULT),
                server -> {
                    throw new AssertionError("no reason to connect");
                },
                rig.loop,
                () -> 0);
        Events<Cluster> events = rig.watch(client, ProtoParser.CLUSTERS, "a");

        assertThat(events.seen()).containsExactly("!a NO_COMMON_VERSION");
        assertThat(events.trouble().message()).contains("xds_v9");
        client.close();
    }

    @Test
    void federatedNamesGoToTheServersOfTheirAuthority() {
        ScriptedServer top = rig.start(first);
        ScriptedServer east = rig.start(second);
        XdsClient client = rig.client(federated(), Variant.SOTW, Map.of());
        String name = "xdstp://east/envoy.config.cluster.v3.Cluster/a?zone=1&env=prod";
        String sorted = "xdstp://east/envoy.config.cluster.v3.Cluster/a?env=prod&zone=1";

        Events<Cluster> events = rig.watch(client, ProtoParser.CLUSTERS, name);

        assertThat(top.streamCount()).as("nothing is wanted of it").isZero();
        assertThat(east.sotw().last().getResourceNamesList()).containsExactly(sorted);
        east.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster(name)));
        assertThat(events.seen()).containsExactly("+" + sorted + "@1");
    }

    @Test
    void namesOfNoKnownAuthorityOrOfAnotherTypeAreRefused() {
        rig.start(first);
        XdsClient client = rig.client(federated(), Variant.SOTW, Map.of());

        assertThat(rig.watch(client, ProtoParser.CLUSTERS, "xdstp://west/envoy.config.cluster.v3.Cluster/a")
                        .trouble()
                        .message())
                .contains("authority west is not in the bootstrap file");
        assertThat(rig.watch(client, ProtoParser.CLUSTERS, "xdstp://east/envoy.config.listener.v3.Listener/a")
                        .trouble()
                        .kind())
                .isEqualTo(Trouble.Kind.BAD_NAME);
        assertThat(rig.watch(client, ProtoParser.CLUSTERS, "").trouble().kind()).isEqualTo(Trouble.Kind.BAD_NAME);
    }

    private Bootstrap federated() {
        return new Bootstrap(
                List.of(first),
                Node.getDefaultInstance(),
                Map.of(),
                null,
                "%s",
                Map.of("east", new Bootstrap.Authority("xdstp://east/%s", List.of(second))),
                Map.of());
    }
}
