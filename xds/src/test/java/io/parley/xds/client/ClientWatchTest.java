package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.v3;
import static io.parley.xds.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.rpc.Status;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What watchers are told, and what the server is asked on their behalf. */
class ClientWatchTest {
    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer server = v3();

    @Test
    void aSecondWatcherLearnsAtOnceWhatIsKnown() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        rig.watch(client, ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        assertThat(rig.watch(client, ProtoParser.CLUSTERS, "a").seen()).containsExactly("+a@1");
    }

    @Test
    void theSameContentIsNotToldTwice() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a", 1)));

        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2", Sample.cluster("a", 1)));
        scripted.sotw().send(answer(ResourceType.CLUSTER, "3", "n3", Sample.cluster("a", 2)));

        assertThat(events.seen()).containsExactly("+a@1", "+a@3");
    }

    @Test
    void whoLeavesAndComesBackBeforeTheServerIsToldFindsTheResourceStillThere() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Watch watch = client.watch(ProtoParser.CLUSTERS, "a", new Events<>());
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));
        Events<Cluster> again = new Events<>();

        rig.loop.execute(() -> {
            watch.close();
            client.watch(ProtoParser.CLUSTERS, "a", again);
        });

        assertThat(again.seen()).containsExactly("+a@1");
    }

    @Test
    void whoLeavesAndComesBackLaterAsksAgain() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Watch watch = client.watch(ProtoParser.CLUSTERS, "a", new Events<>());
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));
        watch.close();

        Events<Cluster> again = rig.watch(client, ProtoParser.CLUSTERS, "a");

        assertThat(again.seen()).isEmpty();
        assertThat(scripted.sotw().last().getResourceNamesList()).containsExactly("a");
    }

    @Test
    void manyWatchesInOneTurnMakeOneRequest() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        rig.watch(client, ProtoParser.CLUSTERS, "first");
        int before = scripted.sotw().requests().size();

        rig.loop.execute(() -> List.of("a", "b", "c").forEach(name -> rig.watch(client, ProtoParser.CLUSTERS, name)));

        assertThat(scripted.sotw().requests()).hasSize(before + 1);
        assertThat(scripted.sotw().last().getResourceNamesList()).containsExactly("a", "b", "c", "first");
    }

    @Test
    void watchingAllAsksWithoutNamesAndTellsOfEach() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> all = new Events<>();
        rig.client(server).watchAll(ProtoParser.CLUSTERS, all);

        assertThat(scripted.sotw().last().getResourceNamesList()).isEmpty();
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a"), Sample.cluster("b")));
        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2", Sample.cluster("b")));

        assertThat(all.seen()).containsExactly("+a@1", "+b@1", "-a NOT_FOUND");
        assertThat(all.answers()).isEqualTo(2);
    }

    @Test
    void watchingAllAfterNamesSaysSoExplicitly() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        rig.watch(client, ProtoParser.CLUSTERS, "a");

        Watch watch = client.watchAll(ProtoParser.CLUSTERS, new Events<>());

        assertThat(scripted.sotw().last().getResourceNamesList()).containsExactly("*", "a");
        watch.close();
        assertThat(scripted.sotw().last().getResourceNamesList()).containsExactly("a");
    }

    @Test
    void anEmptyWorldIsToldTooAndTroubleWithTheServer() {
        Events<Cluster> all = new Events<>();
        rig.client(server).watchAll(ProtoParser.CLUSTERS, all);
        assertThat(all.seen()).containsExactly("!* UNREACHABLE");

        ScriptedServer scripted = rig.start(server);
        rig.loop.advance(Duration.ofSeconds(1));
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1"));

        assertThat(all.answers()).isEqualTo(1);
    }

    @Test
    void whoWatchesAllIsToldOfBadOnesToo() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> all = new Events<>();
        rig.client(server).watchAll(ProtoParser.CLUSTERS, all);

        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a"), Sample.cluster("a")));

        assertThat(all.seen()).containsExactly("!a INVALID");
    }

    @Test
    void troubleWithTheServerIsOverWithItsNextAnswer() {
        XdsClient client = rig.client(server);
        rig.watch(client, ProtoParser.CLUSTERS, "a");
        assertThat(rig.watch(client, ProtoParser.CLUSTERS, "a").seen()).containsExactly("!a UNREACHABLE");
        ScriptedServer scripted = rig.start(server);
        rig.loop.advance(Duration.ofSeconds(1));

        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1"));

        assertThat(rig.watch(client, ProtoParser.CLUSTERS, "a").seen()).isEmpty();
    }

    @Test
    void onlyListenersAndClustersCanBeListed() {
        XdsClient client = rig.client(server);

        assertThatThrownBy(() -> client.watchAll(ProtoParser.ENDPOINTS, new Events<>()))
                .hasMessageContaining("type: ENDPOINT");
    }

    @Test
    void aWatcherThatFailsDoesNotHarmTheOthers() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        client.watch(ProtoParser.CLUSTERS, "a", event -> {
            throw new IllegalStateException("on purpose");
        });
        Events<Cluster> events = rig.watch(client, ProtoParser.CLUSTERS, "a");

        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a", 1)));
        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2", Sample.cluster("a", 2)));

        assertThat(events.seen()).containsExactly("+a@1", "+a@2");
    }

    @Test
    void theServerCanSayWhyAResourceIsNotThere() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Cluster> missing = rig.watch(client, ProtoParser.CLUSTERS, "missing");
        Events<Cluster> secret = rig.watch(client, ProtoParser.CLUSTERS, "secret");
        Events<Cluster> later = rig.watch(client, ProtoParser.CLUSTERS, "later");

        scripted.sotw()
                .send(DiscoveryResponse.newBuilder(answer(ResourceType.CLUSTER, "1", "n1"))
                        .addResourceErrors(error("missing", 5))
                        .addResourceErrors(error("secret", 7))
                        .addResourceErrors(error("later", 14))
                        .addResourceErrors(error("unasked", 5))
                        .build());

        assertThat(missing.seen()).containsExactly("-missing NOT_FOUND");
        assertThat(secret.seen()).containsExactly("!secret PERMISSION_DENIED");
        assertThat(later.seen()).containsExactly("!later UNREACHABLE");
        rig.loop.advance(Duration.ofSeconds(15));
        assertThat(later.seen()).as("it was answered").hasSize(1);
    }

    @Test
    void failOnDataErrorsDropsWhatTurnsOutBad() {
        XdsServer strict = v3("fail_on_data_errors");
        ScriptedServer scripted = rig.start(strict);
        Events<Cluster> events = rig.watch(rig.client(strict), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "n2", Sample.cluster("a"), Sample.cluster("a")));

        assertThat(events.seen()).containsExactly("+a@1", "-a INVALID");
    }

    @Test
    void oneWatcherMayWatchTwice() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Events<Cluster> events = new Events<>();
        client.watch(ProtoParser.CLUSTERS, "a", events);
        Watch second = client.watch(ProtoParser.CLUSTERS, "a", events);

        second.close();
        second.close();
        scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));

        assertThat(events.seen()).containsExactly("+a@1");
    }

    @Test
    void aTypeIsParsedInOneWay() {
        XdsClient client = rig.client(server);
        client.watch(ProtoParser.CLUSTERS, "a", new Events<>());

        assertThatThrownBy(() -> client.watch(
                        ProtoParser.unchecked(ResourceType.CLUSTER, Cluster.parser(), Cluster::getName),
                        "a",
                        new Events<>()))
                .hasMessageContaining("expected: the one that CLUSTER is watched with already");
    }

    @Test
    void afterItIsClosedNothingHappens() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        Watch watch = client.watch(ProtoParser.CLUSTERS, "a", new Events<>());
        client.close();

        client.watch(ProtoParser.CLUSTERS, "b", new Events<>());
        watch.close();

        assertThat(scripted.streamCount()).isEqualTo(1);
        assertThat(scripted.sotw().hasEnded()).isTrue();
    }

    private static ResourceError error(String name, int code) {
        return ResourceError.newBuilder()
                .setResourceName(ResourceName.newBuilder().setName(name))
                .setErrorDetail(Status.newBuilder().setCode(code).setMessage("because"))
                .build();
    }
}
