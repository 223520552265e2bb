package io.parley.control.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.xds.server.session.Rejection;
import org.junit.jupiter.api.Test;

class StreamInsightsTest {
    @Test
    void aRejectionIsShownAsOfALink() {
        assertThat(StreamInsights.shown(new Rejection("2", "1", 13, "bad port")))
                .isEqualTo("2: bad port");
    }
}
