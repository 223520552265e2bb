package io.parley.xds.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.service.load_stats.v3.LoadReportingServiceGrpc;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadReportingTest {
    private final List<String> reports = new ArrayList<>();
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        String name = InProcessServerBuilder.generateName();
        InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
        LoadReporting loads = new LoadReporting(
                (node, clusters) -> clusters.forEach(
                        cluster -> reports.add(node.api() + " " + node.id() + " " + cluster.getClusterName())),
                Duration.ofMillis(1500),
                1);
        loads.services().forEach(builder::addService);
        server = builder.build().start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    @AfterEach
    void stop() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow().awaitTermination();
    }

    @Test
    void s23_asksForAllClustersAndTakesReportsOfV3() {
        Collected<LoadStatsResponse> answers = new Collected<>();
        StreamObserver<LoadStatsRequest> requests =
                LoadReportingServiceGrpc.newStub(channel).streamLoadStats(answers);
        requests.onNext(LoadStatsRequest.newBuilder()
                .setNode(Node.newBuilder().setId("n1"))
                .build());
        assertThat(answers.values).singleElement().satisfies(answer -> {
            assertThat(answer.getSendAllClusters()).isTrue();
            assertThat(answer.getLoadReportingInterval())
                    .isEqualTo(com.google.protobuf.Duration.newBuilder()
                            .setSeconds(1)
                            .setNanos(500_000_000)
                            .build());
        });
        requests.onNext(LoadStatsRequest.newBuilder()
                .addClusterStats(ClusterStats.newBuilder().setClusterName("c"))
                .build());
        assertThat(reports).containsExactly("V3 n1 c");
        assertThat(answers.values).hasSize(1);
    }

    @Test
    void s23_takesReportsOfV2() {
        Collected<io.envoyproxy.envoy.service.load_stats.v2.LoadStatsResponse> answers = new Collected<>();
        var requests = io.envoyproxy.envoy.service.load_stats.v2.LoadReportingServiceGrpc.newStub(channel)
                .streamLoadStats(answers);
        requests.onNext(io.envoyproxy.envoy.service.load_stats.v2.LoadStatsRequest.newBuilder()
                .setNode(io.envoyproxy.envoy.api.v2.core.Node.newBuilder().setId("n2"))
                .addClusterStats(io.envoyproxy.envoy.api.v2.endpoint.ClusterStats.newBuilder()
                        .setClusterName("c"))
                .build());
        assertThat(answers.values.getFirst().getSendAllClusters()).isTrue();
        assertThat(reports).containsExactly("V2 n2 c");
    }

    @Test
    void refusesANodeThatIsTooLarge() {
        Collected<LoadStatsResponse> answers = new Collected<>();
        LoadReportingServiceGrpc.newStub(channel)
                .streamLoadStats(answers)
                .onNext(LoadStatsRequest.newBuilder()
                        .setNode(Node.newBuilder().setId("x".repeat(600_000)))
                        .addClusterStats(ClusterStats.newBuilder().setClusterName("c"))
                        .build());
        assertThat(answers.failed).isTrue();
        assertThat(reports).isEmpty();
    }

    @Test
    void boundsTheNumberOfReporters() {
        Collected<LoadStatsResponse> first = new Collected<>();
        var open = LoadReportingServiceGrpc.newStub(channel).streamLoadStats(first);
        Collected<LoadStatsResponse> second = new Collected<>();
        LoadReportingServiceGrpc.newStub(channel).streamLoadStats(second);
        assertThat(second.failed).isTrue();
        open.onCompleted();
        Collected<LoadStatsResponse> third = new Collected<>();
        LoadReportingServiceGrpc.newStub(channel).streamLoadStats(third).onNext(LoadStatsRequest.getDefaultInstance());
        assertThat(third.values).hasSize(1);
    }

    private static final class Collected<T> implements StreamObserver<T> {
        private final List<T> values = new ArrayList<>();
        private boolean failed;

        @Override
        public void onNext(T value) {
            values.add(value);
        }

        @Override
        public void onError(Throwable failure) {
            failed = true;
        }

        @Override
        public void onCompleted() {}
    }
}
