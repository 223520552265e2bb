package io.parley.proxy.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.Direction;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TelemetryTest {
    private final Telemetry telemetry = new Telemetry();

    @Test
    void labelValuesAreEscaped() {
        telemetry.error(Direction.INBOUND, "a\"b\\c\nd").increment();
        assertThat(telemetry.render())
                .contains("tcp_errors_total{direction=\"inbound\",error=\"a\\\"b\\\\c\\nd\"} 1\n");
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
    void histogramsAreCumulative() {
        telemetry.connectTime(Direction.INBOUND).observe(1_000_000);
        telemetry.connectTime(Direction.INBOUND).observe(3_000_000_000L);
        assertThat(telemetry.render())
                .contains("tcp_connect_duration_seconds_bucket{direction=\"inbound\",le=\"5.0E-4\"} 0")
                .contains("tcp_connect_duration_seconds_bucket{direction=\"inbound\",le=\"0.001\"} 1")
                .contains("tcp_connect_duration_seconds_bucket{direction=\"inbound\",le=\"+Inf\"} 2")
                .contains("tcp_connect_duration_seconds_count{direction=\"inbound\"} 2");
    }

    @Test
    void aLogLineIsOneLineWhateverIsInIt() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("client", "10.0.0.1:80");
        fields.put("detail", "a\nb=\"c\" \u001b[31m");
        fields.put("sent", 5L);
        StringBuilder text = new StringBuilder();
        AccessLog.text(fields, text);
        assertThat(text.toString()).isEqualTo("client=10.0.0.1:80 detail=\"a\\nb=\\\"c\\\" \\u001B[31m\" sent=5");
        assertThat(AccessLog.json(fields))
                .isEqualTo("{\"client\":\"10.0.0.1:80\",\"detail\":\"a\\nb=\\\"c\\\" \\u001B[31m\",\"sent\":5}");
    }
}
