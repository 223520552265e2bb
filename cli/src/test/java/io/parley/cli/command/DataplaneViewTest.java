package io.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class DataplaneViewTest {
    private static String rejected(String insight) throws JsonProcessingException {
        return new DataplaneView("default", "web-1", DataplaneView.NOTHING, new ObjectMapper().readTree(insight))
                .rejected();
    }

    @Test
    void resourcesThatAClientDoesNotTakeAreRejectedAsServicesOfALinkAre() throws JsonProcessingException {
        assertThat(rejected("""
            {"negotiation": {"rejected": [{"service": "telemetry"}]},
             "subscriptions": [{"status": {"type.googleapis.com/envoy.config.cluster.v3.Cluster": {"rejection": "2: bad"}}}]}
            """)).isEqualTo("telemetry, Cluster");
    }

    @Test
    void whatWasRejectedOnAConnectionThatIsOverIsNotShown() throws JsonProcessingException {
        assertThat(rejected("""
            {"subscriptions": [{"disconnectTime": "2026-01-01T00:00:00Z", "status": {"x.Cluster": {"rejection": "2: bad"}}},
                               {"status": {"x.Cluster": {"version": "3"}}}]}
            """)).isEqualTo("-");
    }

    /** An Envoy and the one that takes over from it. */
    @Test
    void whatTwoConnectionsRejectIsShownOnce() throws JsonProcessingException {
        assertThat(rejected("""
            {"subscriptions": [{"status": {"x.Cluster": {"rejection": "2: bad"}}},
                               {"status": {"x.Cluster": {"rejection": "2: bad"}}}]}
            """)).isEqualTo("Cluster");
    }
}
