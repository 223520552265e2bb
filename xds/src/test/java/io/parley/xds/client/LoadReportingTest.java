package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.server;
import static io.parley.xds.client.ClientRig.v3;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.config.endpoint.v3.EndpointLoadMetricStats;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.Status;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.load.ClusterLoad;
import io.parley.xds.client.load.LocalityLoad;
import io.parley.xds.client.load.LocalityLoad.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases C7 and C27: load reporting. */
class LoadReportingTest {
    private static final Locality ZONE = Locality.newBuilder().setZone("z").build();

    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer server = v3();

    @Test
    void c7_loadIsReportedInTheVersionOfDiscovery() {
        XdsServer old = server();
        ScriptedServer scripted2 = rig.start(old);
        ScriptedServer scripted3 = rig.start(server);

        rig.client(old).load(old, "c", "");
        rig.client(server).load(server, "c", "");

        assertThat(scripted2.stream().method())
                .isEqualTo("envoy.service.load_stats.v2.LoadReportingService/StreamLoadStats");
        assertThat(scripted3.stream().method())
                .isEqualTo("envoy.service.load_stats.v3.LoadReportingService/StreamLoadStats");
        assertThat(stream(scripted2).last().getNode().getUnknownFields().hasField(5))
                .isTrue();
        assertThat(stream(scripted3).last().getNode().getUnknownFields().hasField(5))
                .isFalse();
    }

    @Test
    void c27_introducesItselfWithoutAnyReport() {
        ScriptedServer scripted = rig.start(server);
        rig.client(server).load(server, "c", "");

        LoadStatsRequest first = stream(scripted).last();
        assertThat(first.getNode().getId()).isEqualTo("node-1");
        assertThat(first.getNode().getClientFeaturesList()).contains("envoy.lrs.supports_send_all_clusters");
        assertThat(first.getClusterStatsList()).isEmpty();
        rig.loop.advance(Duration.ofMinutes(1));
        assertThat(stream(scripted).requests()).hasSize(1);
    }

    @Test
    void c27_reportsCallsAndDropsOnceEachInterval() {
        ScriptedServer scripted = rig.start(server);
        ClusterLoad load = rig.client(server).load(server, "c", "svc");
        LocalityLoad zone = load.locality(ZONE);
        zone.started();
        zone.started();
        zone.started();
        zone.finished(Outcome.SUCCESS);
        zone.finished(Outcome.FAILURE);
        load.dropped("lb");
        load.dropped("lb");
        load.dropped();

        stream(scripted).send(all(Duration.ofSeconds(10)));
        rig.loop.advance(Duration.ofSeconds(10));

        assertThat(stream(scripted).last().getClusterStatsList())
                .containsExactly(ClusterStats.newBuilder()
                        .setClusterName("c")
                        .setClusterServiceName("svc")
                        .setLoadReportInterval(
                                com.google.protobuf.Duration.newBuilder().setSeconds(10))
                        .setTotalDroppedRequests(3)
                        .addDroppedRequests(ClusterStats.DroppedRequests.newBuilder()
                                .setCategory("lb")
                                .setDroppedCount(2))
                        .addUpstreamLocalityStats(UpstreamLocalityStats.newBuilder()
                                .setLocality(ZONE)
                                .setTotalIssuedRequests(3)
                                .setTotalSuccessfulRequests(1)
                                .setTotalErrorRequests(1)
                                .setTotalRequestsInProgress(1))
                        .build());
    }

    @Test
    void c27_reportsWhatBackendsMeasuredUnderItsName() {
        ScriptedServer scripted = rig.start(server);
        LocalityLoad zone = rig.client(server).load(server, "c", "").locality(ZONE);
        stream(scripted).send(all(Duration.ofSeconds(10)));
        zone.measured("named_metrics.queue", 2.5);
        zone.measured("named_metrics.queue", 1);
        rig.loop.advance(Duration.ofSeconds(10));

        assertThat(only(scripted).getUpstreamLocalityStats(0).getLoadMetricStatsList())
                .containsExactly(EndpointLoadMetricStats.newBuilder()
                        .setMetricName("named_metrics.queue")
                        .setNumRequestsFinishedWithMetric(2)
                        .setTotalMetricValue(3.5)
                        .build());

        rig.loop.advance(Duration.ofSeconds(10));
        assertThat(only(scripted).getUpstreamLocalityStatsList())
                .as("nothing new")
                .isEmpty();
    }

    @Test
    void c27_eachReportHasOnlyWhatIsNew() {
        ScriptedServer scripted = rig.start(server);
        LocalityLoad zone = rig.client(server).load(server, "c", "").locality(ZONE);
        stream(scripted).send(all(Duration.ofSeconds(10)));
        zone.started();
        rig.loop.advance(Duration.ofSeconds(10));
        assertThat(only(scripted).getUpstreamLocalityStats(0).getTotalIssuedRequests())
                .isEqualTo(1);

        zone.finished(Outcome.SUCCESS);
        rig.loop.advance(Duration.ofSeconds(10));
        UpstreamLocalityStats second = only(scripted).getUpstreamLocalityStats(0);
        assertThat(second.getTotalIssuedRequests()).isZero();
        assertThat(second.getTotalSuccessfulRequests()).isEqualTo(1);

        rig.loop.advance(Duration.ofSeconds(10));
        assertThat(only(scripted).getUpstreamLocalityStatsList())
                .as("nothing happened")
                .isEmpty();
    }

    @Test
    void c27_theIntervalMayChangeAndTheOneReportedIsTheOneMeasured() {
        ScriptedServer scripted = rig.start(server);
        rig.client(server).load(server, "c", "");
        stream(scripted).send(all(Duration.ofSeconds(10)));
        rig.loop.advance(Duration.ofSeconds(4));

        stream(scripted).send(all(Duration.ofSeconds(3)));
        rig.loop.advance(Duration.ofSeconds(3));
        assertThat(only(scripted).getLoadReportInterval().getSeconds()).isEqualTo(7);
        rig.loop.advance(Duration.ofSeconds(3));
        assertThat(only(scripted).getLoadReportInterval().getSeconds()).isEqualTo(3);
        assertThat(stream(scripted).requests()).hasSize(3);
    }

    @Test
    void c27_reportsOnlyTheClustersThatAreListed() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        client.load(server, "a", "");
        client.load(server, "b", "");

        stream(scripted)
                .send(LoadStatsResponse.newBuilder()
                        .addClusters("b")
                        .addClusters("unknown")
                        .setLoadReportingInterval(
                                com.google.protobuf.Duration.newBuilder().setSeconds(1))
                        .build());
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(only(scripted).getClusterName()).isEqualTo("b");

        stream(scripted).send(all(Duration.ofSeconds(1)));
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(stream(scripted).last().getClusterStatsList())
                .extracting(ClusterStats::getClusterName)
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void c27_anIntervalOfZeroDoesNotMakeItSpin() {
        ScriptedServer scripted = rig.start(server);
        rig.client(server).load(server, "a", "");

        stream(scripted).send(all(Duration.ZERO));
        rig.loop.advance(Duration.ofSeconds(1));

        assertThat(stream(scripted).requests()).hasSize(11);
    }

    @Test
    void aClusterThatIsNoLongerUsedIsReportedOnceMore() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        ClusterLoad load = client.load(server, "a", "");
        client.load(server, "a", "").close();
        stream(scripted).send(all(Duration.ofSeconds(1)));
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(stream(scripted).last().getClusterStatsCount()).isEqualTo(1);

        load.close();
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(stream(scripted).last().getClusterStatsCount()).isEqualTo(1);
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(stream(scripted).last().getClusterStatsCount()).isZero();
    }

    @Test
    void aNewStreamIntroducesItselfAgain() {
        ScriptedServer scripted = rig.start(server);
        rig.client(server).load(server, "a", "");
        stream(scripted).send(all(Duration.ofSeconds(1)));

        stream(scripted).fail(Status.UNAVAILABLE);
        rig.loop.advance(Duration.ofSeconds(1));

        assertThat(scripted.streamCount()).isEqualTo(2);
        assertThat(stream(scripted).requests()).hasSize(1);
        assertThat(stream(scripted).last().getNode().getId()).isEqualTo("node-1");
    }

    private static ClusterStats only(ScriptedServer server) {
        assertThat(stream(server).last().getClusterStatsList()).hasSize(1);
        return stream(server).last().getClusterStats(0);
    }

    private static LoadStatsResponse all(Duration interval) {
        return LoadStatsResponse.newBuilder()
                .setSendAllClusters(true)
                .setLoadReportingInterval(
                        com.google.protobuf.Duration.newBuilder().setSeconds(interval.toSeconds()))
                .build();
    }

    private static ScriptedServer.Stream<LoadStatsRequest, LoadStatsResponse> stream(ScriptedServer server) {
        return server.streamOf(LoadStatsRequest.class, LoadStatsResponse.class);
    }
}
