package io.parley.control.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.agreement.version.NodeDescription;
import io.parley.control.gateway.model.Name;
import io.parley.control.node.NodeKey;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.wire.wrpc.CloseReason;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.StreamInfo;
import io.parley.xds.server.StreamListener;
import io.parley.xds.server.session.Rejection;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What proxies of gateways say counts for as long as they are there. */
class GatewayReportsTest {
    private static final Name EDGE = new Name("infra", "edge");

    private static final String LISTENERS = ResourceType.LISTENER.url(ApiVersion.V3);
    private static final StreamInfo STREAM = new StreamInfo(
            1,
            "envoy.service.listener.v3.ListenerDiscoveryService/StreamListeners",
            NodeIdentity.of(Node.getDefaultInstance(), ApiVersion.V3, Optional.empty()));

    private final GatewayReports reports = new GatewayReports(() -> Instant.EPOCH);
    private final SilentLink line = new SilentLink();

    private NodeLink node(String mesh) {
        return new NodeLink(
                line,
                new NodePrincipal("edge.infra", mesh, "", Map.of()),
                new NodeDescription("edge.infra", "PARLEY", "0.1.0", "host"));
    }

    @Test
    void knowsWhatSomebodyHasJoinedFor_untilHeHasGone() {
        reports.asked(node("@gateways"), List.of(LISTENERS));
        assertThat(reports.joined()).containsExactly(EDGE);
        assertThat(reports.proxies(EDGE)).isEqualTo(1);

        line.close(new CloseReason(CloseReason.NORMAL, ""));
        assertThat(reports.joined()).isEmpty();
        assertThat(reports.proxies(EDGE)).isZero();
    }

    @Test
    void whatWasRefusedIsToldUntilItIsTaken_orTheProxyHasGone() {
        reports.refused(node("@gateways"), "routes", "1", "no such thing");
        assertThat(reports.refusal(EDGE)).isEqualTo("no such thing");
        assertThat(reports.refusal(new Name("infra", "other"))).isEmpty();

        reports.applied(node("@gateways"), "clusters", "2");
        assertThat(reports.refusal(EDGE)).as("of another type").isEqualTo("no such thing");

        reports.applied(node("@gateways"), "routes", "2");
        assertThat(reports.refusal(EDGE)).isEmpty();

        reports.refused(node("@gateways"), "routes", "3", "no such thing");
        line.close(new CloseReason(CloseReason.NORMAL, ""));
        assertThat(reports.refusal(EDGE)).isEmpty();
    }

    @Test
    void whatIsRefusedWithoutAWordIsRefused() {
        reports.refused(node("@gateways"), "routes", "1", "");

        assertThat(reports.refusal(EDGE)).isEqualTo("without a reason");
    }

    @Test
    void aLinkIsWatchedForItsEndOnceHoweverMuchIsRefused() {
        for (int round = 0; round < 1_000; round++) {
            reports.refused(node("@gateways"), "routes", "" + round, "no such thing");
            reports.report(
                    node("@gateways"), new NodeReport(Instant.EPOCH, Map.of(), Map.of(), "", List.of(), Map.of()));
        }

        assertThat(line.closed().getNumberOfDependents()).isEqualTo(1);
    }

    @Test
    void aDataPlaneOfThatNameIsNoGateway() {
        reports.refused(node("default"), "routes", "1", "no such thing");

        assertThat(reports.refusal(EDGE)).isEmpty();
    }

    @Test
    void whatAProxySawIsForgottenWhenItGoes() {
        var saw = new NodeReport.Made(
                "infra/one:80|h2c", new Decision<>("unusable", "it spoke HTTP/1", Source.ofRule("protocol-mismatch")));
        reports.report(
                node("@gateways"), new NodeReport(Instant.EPOCH, Map.of(), Map.of(), "", List.of(saw), Map.of()));
        assertThat(reports.about("infra/one:80|")).hasSize(1);

        line.close(new CloseReason(CloseReason.NORMAL, ""));

        assertThat(reports.about("infra/one:80|")).isEmpty();
    }

    @Test
    void anXdsClientHasAnsweredForTheVersionOfItsAnswer_notForTheNewest() {
        ResourceSet first = listeners(80);
        ResourceSet second = listeners(81);
        StreamListener streams = reports.streams(_ -> Optional.of(NodeKey.ofGateway("infra", "edge")));
        streams.opened(STREAM);
        assertThat(reports.isAwaited(EDGE, first)).isTrue();

        streams.acknowledged(STREAM, LISTENERS, first.version(), null);
        assertThat(reports.isAwaited(EDGE, first)).isFalse();
        assertThat(reports.isAwaited(EDGE, second)).isTrue();

        Rejection rejection = new Rejection(second.version(), first.version(), 3, "no such thing");
        streams.rejected(STREAM, LISTENERS, rejection);
        assertThat(reports.refusal(EDGE)).as("in its words").isEqualTo("no such thing");
        assertThat(reports.isAwaited(EDGE, second)).isFalse();

        ResourceSet third = listeners(82);
        streams.acknowledged(STREAM, LISTENERS, third.version(), rejection);
        assertThat(reports.refusal(EDGE)).as("it stands").isEqualTo("no such thing");
        assertThat(reports.isAwaited(EDGE, third)).isFalse();
    }

    @Test
    void anXdsClientThatGivesUpWhatItRejectedHasAnsweredNothingByThat() {
        ResourceSet first = listeners(80);
        ResourceSet second = listeners(81);
        StreamListener streams = reports.streams(_ -> Optional.of(NodeKey.ofGateway("infra", "edge")));
        streams.opened(STREAM);
        streams.rejected(STREAM, LISTENERS, new Rejection(first.version(), "", 3, "no such thing"));

        streams.givenUp(STREAM, LISTENERS);

        assertThat(reports.refusal(EDGE)).isEmpty();
        assertThat(reports.isAwaited(EDGE, second)).isTrue();
    }

    private static ResourceSet listeners(int port) {
        Listener.Builder listener = Listener.newBuilder().setName("web");
        listener.getAddressBuilder().getSocketAddressBuilder().setPortValue(port);
        return ResourceSet.of(EncodedResource.of(listener.build()));
    }
}
