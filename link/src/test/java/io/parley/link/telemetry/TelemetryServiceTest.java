package io.parley.link.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.link.CallRefusal;
import io.parley.link.client.ClientService;
import io.parley.link.client.LinkClientListener;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.TestControlPlane;
import io.parley.link.fixture.TestNodes;
import io.parley.link.server.LinkListener;
import io.parley.wire.wrpc.proto.DecisionReport;
import io.parley.wire.wrpc.proto.NodeInsight;
import io.parley.wire.wrpc.proto.ReportRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class TelemetryServiceTest {
    private static final NodeReport REPORT = new NodeReport(
            Instant.ofEpochSecond(1_700_000_000),
            Map.of("config", "v2"),
            Map.of("clusters", "7"),
            "cluster a: no endpoints",
            List.of(new NodeReport.Made(
                    "10.0.0.1:3306",
                    new Decision<>("opaque", "the server spoke first", Source.ofRule("server speaks first")))),
            Map.of("connections", 42L));

    @Test
    void aReportArrivesAsItWasSentAndAnotherFollows() {
        Pki pki = new Pki();
        var reports = new CopyOnWriteArrayList<NodeReport>();
        try (var controlPlane = TestControlPlane.start(
                        pki, List.of(TelemetryServer.binding((_, report) -> reports.add(report))), LinkListener.NONE);
                var nodes = new TestNodes(pki)) {
            var service = TelemetryClient.service(() -> REPORT, Duration.ofMillis(50), ClientService.Need.OPTIONAL);
            nodes.start(controlPlane.port(), "n", List.of(service), LinkClientListener.NONE);

            await().until(() -> reports.size() >= 2);
        }
        assertThat(reports).allMatch(REPORT::equals);
    }

    @Test
    void longTextsOfAReportAreCutAndLongNamesRefused() {
        String text = "x".repeat(10_000);
        var report = ReportRequest.newBuilder()
                .setInsight(NodeInsight.newBuilder().setLastRefusal(text).putAppliedVersions("clusters", text))
                .addDecisions(DecisionReport.newBuilder()
                        .setSubject(text)
                        .setValue(text)
                        .setBecause(text)
                        .setResource(text)
                        .setField(text)
                        .setRule(text));

        NodeReport read = ReportMessages.read(report.build());

        String cut = "x".repeat(500);
        assertThat(read.lastRefusal()).isEqualTo(cut);
        assertThat(read.appliedVersions()).isEqualTo(Map.of("clusters", cut));
        assertThat(read.decisions())
                .containsExactly(new NodeReport.Made(cut, new Decision<>(cut, cut, new Source(cut, cut, cut))));
        assertThatThrownBy(() -> ReportMessages.read(report.putCounters(text, 1).build()))
                .isInstanceOf(CallRefusal.class)
                .hasMessageContaining("10000 characters");
    }

    @Test
    void aReportWithoutReasonsOrWithTooMuchIsRefused() {
        var bare = DecisionReport.getDefaultInstance();
        assertThatThrownBy(() -> ReportMessages.read(
                        ReportRequest.newBuilder().addDecisions(bare).build()))
                .isInstanceOf(CallRefusal.class);
        assertThatThrownBy(() -> ReportMessages.read(ReportRequest.newBuilder()
                        .addAllDecisions(Collections.nCopies(1_001, bare))
                        .build()))
                .isInstanceOf(CallRefusal.class)
                .hasMessageContaining("1001 entries");
    }
}
