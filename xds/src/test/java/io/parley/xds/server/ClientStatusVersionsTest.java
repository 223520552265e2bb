package io.parley.xds.server;

import static io.parley.xds.server.snapshot.Samples.endpoints;
import static io.parley.xds.type.ResourceType.ENDPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.parley.xds.server.SnapshotSource.Admission;
import io.parley.xds.server.StatusClient.Told;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.server.status.ClientStatusService;
import io.parley.xds.type.ApiVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Case S9 and go-control-plane issue 954: which client has what, in which version, since when, and what it rejected. */
class ClientStatusVersionsTest {
    private static final ResourceSet FIRST = ResourceSet.of(endpoints("a", 1), endpoints("b", 1));

    private final FakeTicker ticker = new FakeTicker();
    private final LiveSnapshot live = new LiveSnapshot(Snapshot.EMPTY.with(ENDPOINT, FIRST));
    private final XdsServer xds = XdsServer.builder(_ -> new Admission.Serve(live))
            .executor(Runnable::run)
            .ticker(ticker)
            .build();
    private Server server;
    private ManagedChannel channel;

    static Stream<Arguments> clients() {
        return Stream.of(ApiVersion.values())
                .flatMap(api -> Stream.of(DiscoveryMethod.Variant.values()).map(variant -> Arguments.of(api, variant)));
    }

    @BeforeEach
    void start() throws Exception {
        String name = InProcessServerBuilder.generateName();
        InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
        xds.services().forEach(builder::addService);
        server = builder.addService(new ClientStatusService(xds, Clock.systemUTC()))
                .build()
                .start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    @AfterEach
    void stop() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow().awaitTermination();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void tellsWhatIsOnItsWayAcceptedAndMissing(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(channel, api, variant, "a", "b", "none");
        Told first = client.next();

        assertThat(shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.REQUESTED);
        assertThat(shown("a").getVersionInfo()).isEmpty();
        assertThat(shown("none").getClientStatus()).isEqualTo(ClientResourceStatus.DOES_NOT_EXIST);

        client.acknowledge(first);

        GenericXdsConfig accepted = shown("a");
        assertThat(accepted.getTypeUrl()).isEqualTo(ENDPOINT.url(api));
        assertThat(accepted.getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(accepted.getConfigStatus()).isEqualTo(ConfigStatus.SYNCED);
        assertThat(accepted.getVersionInfo()).isEqualTo(first.versionOf("a"));
        assertThat(Instant.ofEpochSecond(accepted.getLastUpdated().getSeconds()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(accepted.hasErrorState()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aClientStaysWithWhatItAcceptedUntilItAcceptsAnother(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(channel, api, variant, "a", "b");
        Told first = client.next();
        client.acknowledge(first);
        live.publish(Snapshot.EMPTY.with(ENDPOINT, FIRST.with(endpoints("a", 2))));
        Told second = client.next();

        assertThat(shown("a").getConfigStatus()).isEqualTo(ConfigStatus.STALE);
        assertThat(shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(shown("a").getVersionInfo()).isEqualTo(first.versionOf("a"));
        assertThat(shown("b").getConfigStatus()).as("nothing new of it").isEqualTo(ConfigStatus.SYNCED);

        client.acknowledge(second);

        assertThat(shown("a").getConfigStatus()).isEqualTo(ConfigStatus.SYNCED);
        assertThat(shown("a").getVersionInfo()).isEqualTo(second.versionOf("a")).isNotEqualTo(first.versionOf("a"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void s9_onlyWhatWasRejectedIsShownSoWithTheLastGoodVersion(ApiVersion api, DiscoveryMethod.Variant variant) {
        StatusClient client = StatusClient.open(channel, api, variant, "a", "b");
        Told good = client.next();
        client.acknowledge(good);
        live.publish(Snapshot.EMPTY.with(ENDPOINT, FIRST.with(endpoints("a", 2))));
        Told bad = client.next();
        client.reject(bad, "no thanks");

        GenericXdsConfig rejected = shown("a");
        assertThat(rejected.getClientStatus()).isEqualTo(ClientResourceStatus.NACKED);
        assertThat(rejected.getConfigStatus()).isEqualTo(ConfigStatus.ERROR);
        assertThat(rejected.getVersionInfo()).isEqualTo(good.versionOf("a"));
        assertThat(rejected.getErrorState().getVersionInfo()).isEqualTo(bad.versionOf("a"));
        assertThat(rejected.getErrorState().getDetails()).isEqualTo("no thanks");
        assertThat(rejected.getErrorState().hasLastUpdateAttempt()).isTrue();
        assertThat(shown("b").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(shown("b").hasErrorState()).isFalse();

        live.publish(Snapshot.EMPTY.with(ENDPOINT, FIRST.with(endpoints("a", 3))));
        ticker.advance(Duration.ofSeconds(5));
        xds.tick();
        Told cured = client.next();
        client.acknowledge(cured);

        assertThat(shown("a").getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
        assertThat(shown("a").getVersionInfo()).isEqualTo(cured.versionOf("a"));
        assertThat(shown("a").hasErrorState()).isFalse();
    }

    private GenericXdsConfig shown(String name) {
        ClientConfig config = ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel)
                .fetchClientStatus(ClientStatusRequest.getDefaultInstance())
                .getConfig(0);
        return config.getGenericXdsConfigsList().stream()
                .filter(resource -> resource.getName().equals(name))
                .findAny()
                .orElseThrow();
    }
}
