package io.parley.control.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.agreement.version.NodeDescription;
import io.parley.control.gateway.model.Name;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.server.NodeLink;
import io.parley.link.telemetry.NodeReport;
import io.parley.wire.wrpc.CloseReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What proxies of gateways say counts for as long as they are there. */
class GatewayReportsTest {
    private static final Name EDGE = new Name("infra", "edge");

    private final GatewayReports reports = new GatewayReports(() -> Instant.EPOCH, _ -> "");
    private final SilentLink line = new SilentLink();

    private NodeLink node(String mesh) {
        return new NodeLink(
                line,
                new NodePrincipal("edge.infra", mesh, "", Map.of()),
                new NodeDescription("edge.infra", "PARLEY", "0.1.0", "host"));
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
}
