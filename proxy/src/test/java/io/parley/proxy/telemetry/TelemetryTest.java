package io.parley.proxy.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.Direction;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TelemetryTest {
    private long now;
    private final Telemetry telemetry = new Telemetry(() -> now);

    @Test
    void labelValuesAreEscaped() {
        telemetry.error(Direction.INBOUND, "a\"b\\c\nd").increment();
        assertThat(telemetry.render()).contains("inbound_tcp_errors_total{error=\"a\\\"b\\\\c\\nd\"} 1\n");
    }

    @Test
    void theNumberOfSeriesIsBounded() {
        for (int i = 0; i < 10_000; i++) {
            telemetry.serverFirst(Direction.OUTBOUND, "target-" + i).increment();
            telemetry
                    .side(new Telemetry.Side(Direction.OUTBOUND, "src", null, null, "target-" + i))
                    .read()
                    .add(1);
        }
        String page = telemetry.render();
        assertThat(page.lines().filter(line -> line.startsWith("tcp_server_first_total")))
                .hasSizeLessThan(1_100);
        assertThat(page).contains("tcp_server_first_total{direction=\"other\",target=\"other\"} 9000");
        assertThat(page.lines().filter(line -> line.startsWith("tcp_read_bytes_total")))
                .hasSizeLessThan(1_100);
    }

    @Test
    void strangersWhoAskForEverNewNamesLeaveTheSeriesOfMembersAlone() {
        for (int i = 0; i < 2_000; i++) {
            telemetry
                    .side(new Telemetry.Side(
                            Direction.INBOUND, "src", "no_tls_from_remote", null, "port 80", "name-" + i))
                    .opened()
                    .increment();
        }
        telemetry.side(peer("late")).opened().increment();

        assertThat(telemetry.render())
                .contains("client_id=\"late\"")
                .contains("sni=\"name-0\"} 1\n")
                .contains("target=\"port 80\",sni=\"other\"} " + (2_000 - TcpSides.MAX_WITH_SERVER_NAME) + "\n");
    }

    @Test
    void namesThatAreAskedForOnManyPortsAreBoundedTogether() {
        for (int i = 0; i < 10; i++) {
            for (int port = 80; port < 100; port++) {
                telemetry
                        .side(new Telemetry.Side(
                                Direction.INBOUND, "src", "no_tls_from_remote", null, "port " + port, "name-" + i))
                        .opened()
                        .increment();
            }
        }

        assertThat(telemetry.render().lines().filter(line -> line.startsWith("tcp_open_total{")))
                .filteredOn(line -> line.contains("sni=\"name-"))
                .hasSize(TcpSides.MAX_WITH_SERVER_NAME);
        assertThat(telemetry.render()).contains("target=\"port 80\",sni=\"other\"} 5\n");
    }

    @Test
    void aSeriesInWhichNothingHappensForTenMinutesIsDropped() {
        telemetry.serverFirst(Direction.OUTBOUND, "quiet").increment();
        telemetry.serverFirst(Direction.OUTBOUND, "busy").increment();
        minutes(1);
        for (int minute = 1; minute < 11; minute++) {
            assertThat(telemetry.render()).contains("target=\"quiet\"");
            telemetry.serverFirst(Direction.OUTBOUND, "busy").increment();
            minutes(1);
        }

        assertThat(telemetry.render())
                .doesNotContain("target=\"quiet\"")
                .contains("tcp_server_first_total{direction=\"outbound\",target=\"busy\"} 11\n");
    }

    @Test
    void numbersOfAKindOfConnectionAreKeptAsLongAsOneIsOpenAndDroppedTogether() {
        TcpSeries series = telemetry.side(peer("long-lived"));
        series.opened().increment();
        series.open().increment();
        idle();
        assertThat(telemetry.render())
                .contains("tcp_open_total{direction=\"inbound\",peer=\"src\",tls=\"true\",client_id=\"long-lived\"");

        series.open().decrement();
        idle();
        assertThat(telemetry.render()).doesNotContain("long-lived");
    }

    @Test
    void whoStillCountsInADroppedSeriesBringsItBackWithAllThatWasCounted() {
        Count held = telemetry.serverFirst(Direction.OUTBOUND, "db");
        held.add(5);
        TcpSeries series = telemetry.side(peer("web"));
        series.opened().increment();
        idle();
        assertThat(telemetry.render()).doesNotContain("target=\"db\"").doesNotContain("client_id=\"web\"");

        held.increment();
        series.read().add(7);
        minutes(1);

        assertThat(telemetry.render())
                .contains("tcp_server_first_total{direction=\"outbound\",target=\"db\"} 6\n")
                .contains(
                        "tcp_open_total{direction=\"inbound\",peer=\"src\",tls=\"true\",client_id=\"web\",target=\"port"
                                + " 80\"} 1\n")
                .contains(
                        "tcp_read_bytes_total{direction=\"inbound\",peer=\"src\",tls=\"true\",client_id=\"web\",target=\"port"
                            + " 80\"} 7\n");
        assertThat(telemetry.serverFirst(Direction.OUTBOUND, "db")).isSameAs(held);
    }

    @Test
    void aDroppedSeriesThatIsAskedForIsTheSameAgain() {
        Count held = telemetry.serverFirst(Direction.OUTBOUND, "db");
        held.increment();
        idle();
        telemetry.render();

        assertThat(telemetry.serverFirst(Direction.OUTBOUND, "db")).isSameAs(held);
        assertThat(telemetry.render()).contains("target=\"db\"} 1\n");
    }

    @Test
    void idleSeriesMakeRoomForNewOnesThoughNobodyLooks() {
        for (int i = 0; i < 1_000; i++) {
            telemetry.serverFirst(Direction.OUTBOUND, "old-" + i).increment();
            telemetry.side(peer("old-" + i)).opened().increment();
        }
        minutes(1);
        telemetry.serverFirst(Direction.OUTBOUND, "one too many").increment();
        minutes(10);

        telemetry.serverFirst(Direction.OUTBOUND, "new").increment();
        telemetry.side(peer("new")).opened().increment();

        assertThat(telemetry.render())
                .contains("target=\"new\"} 1\n")
                .contains("client_id=\"new\"")
                .doesNotContain("old-");
    }

    @Test
    void numbersWhoseLabelsDoNotComeAndGoStay() {
        telemetry.closed(Direction.INBOUND, "closed").increment();
        idle();

        assertThat(telemetry.render()).contains("tcp_close_total{direction=\"inbound\",cause=\"closed\"} 1\n");
    }

    private static Telemetry.Side peer(String identity) {
        return new Telemetry.Side(Direction.INBOUND, "src", null, identity, "port 80");
    }

    private void minutes(int count) {
        now += Duration.ofMinutes(count).toNanos();
    }

    /** Nothing happens for long enough, and numbers are looked at meanwhile. */
    private void idle() {
        minutes(1);
        telemetry.render();
        minutes(10);
    }

    /** The fact sheet's section 6: dashboards made for Linkerd look for these names. */
    @Test
    void theNamesAreThoseOfLinkerd() {
        telemetry
                .side(new Telemetry.Side(Direction.INBOUND, "src", null, "spiffe://mesh/web", "port 80"))
                .opened()
                .increment();
        telemetry
                .side(new Telemetry.Side(Direction.INBOUND, "src", "no_tls_from_remote", null, "port 80"))
                .opened()
                .increment();
        telemetry
                .side(new Telemetry.Side(
                        Direction.INBOUND, "src", "no_tls_from_remote", null, "port 443", "db.example"))
                .opened()
                .increment();
        telemetry.error(Direction.OUTBOUND, "unreachable").increment();
        telemetry.detected(Direction.INBOUND, "http/1", 1_000);
        telemetry.detected(Direction.OUTBOUND, "read_timeout", 1_000);
        telemetry
                .authorization(Telemetry.Verdict.DENY, "port 80", "spiffe://mesh/web")
                .increment();
        telemetry.header("http1", 8080, null, "spiffe://mesh/web").increment();
        assertThat(telemetry.render())
                .contains("tcp_open_total{direction=\"inbound\",peer=\"src\",tls=\"true\","
                        + "client_id=\"spiffe://mesh/web\",target=\"port 80\"} 1\n")
                .contains("tcp_open_total{direction=\"inbound\",peer=\"src\",tls=\"no_identity\","
                        + "no_tls_reason=\"no_tls_from_remote\",target=\"port 80\"} 1\n")
                .contains("tcp_open_total{direction=\"inbound\",peer=\"src\",tls=\"opaque\",target=\"port 443\","
                        + "sni=\"db.example\"} 1\n")
                .contains("outbound_tcp_errors_total{error=\"unreachable\"} 1\n")
                .contains("inbound_tcp_detect_http_results_total{result=\"http/1\"} 1\n")
                .contains("outbound_tcp_detect_http_results_total{result=\"read_timeout\"} 1\n")
                .contains("inbound_tcp_detect_http_duration_seconds_count{result=\"http/1\"} 1\n")
                .contains("inbound_tcp_authz_deny_total{target=\"port 80\",client_id=\"spiffe://mesh/web\"} 1\n")
                .contains("inbound_tcp_transport_header_connections_total{session_protocol=\"http1\","
                        + "target_port=\"8080\",client_id=\"spiffe://mesh/web\"} 1\n");
    }

    @Test
    void histogramsAreCumulative() {
        telemetry.connectTime(Direction.INBOUND).observe(1_000_000);
        telemetry.connectTime(Direction.INBOUND).observe(3_000_000_000L);
        assertThat(telemetry.render())
                .contains("tcp_connect_duration_seconds_bucket{direction=\"inbound\",le=\"5.0E-4\"} 0")
                .contains("tcp_connect_duration_seconds_bucket{direction=\"inbound\",le=\"0.001\"} 1")
                .contains("tcp_connect_duration_seconds_bucket{direction=\"inbound\",le=\"+Inf\"} 2")
                .contains("tcp_connect_duration_seconds_count{direction=\"inbound\"} 2");
    }
}
