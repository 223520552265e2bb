package io.parley.control.insight;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class InsightDocumentTest {
    private static final Instant T0 = Instant.ofEpochSecond(1000);

    private final ObjectNode insight = JsonNodeFactory.instance.objectNode();

    @Test
    void aNewConnectionEndsTheOneBeforeIt() {
        InsightDocument.update(insight, NodeState.connected("a", "link", T0, null), "cp-1");
        InsightDocument.update(insight, NodeState.connected("b", "link", T0.plusSeconds(5), null), "cp-2");

        assertThat(insight.path("subscriptions")).hasSize(2);
        assertThat(insight.at("/subscriptions/0/disconnectTime").asText())
                .isEqualTo(T0.plusSeconds(5).toString());
        assertThat(insight.at("/subscriptions/1").has("disconnectTime")).isFalse();
    }

    @Test
    void onlyTheLastTenConnectionsAreKept() {
        for (int i = 0; i < 25; i++) {
            InsightDocument.update(insight, NodeState.connected("s" + i, "link", T0, null), "cp-1");
        }
        assertThat(insight.path("subscriptions")).hasSize(10);
        assertThat(insight.at("/subscriptions/9/id").asText()).isEqualTo("s24");
    }

    @Test
    void aRejectionIsShownUntilSomethingIsAccepted() {
        NodeState state = NodeState.connected("a", "link", T0, null);
        state = state.with("t", state.type("t").applying("1", T0));
        state = state.with("t", state.type("t").refusing("2: bad port", T0));
        InsightDocument.update(insight, state, "cp-1");
        assertThat(insight.at("/subscriptions/0/status/t/rejection").asText()).isEqualTo("2: bad port");
        assertThat(insight.at("/subscriptions/0/status/t/version").asText()).isEqualTo("1");

        InsightDocument.update(insight, state.with("t", state.type("t").applying("3", T0)), "cp-1");
        assertThat(insight.at("/subscriptions/0/status/t").has("rejection")).isFalse();
    }

    /** On xDS a client may accept one resource while another one stays rejected. */
    @Test
    void aRejectionThatStandsIsShownBesideWhatWasAcceptedSince() {
        NodeState state = NodeState.connected("a", "xds", T0, null);
        state = state.with("t", state.type("t").refusing("2: bad port", T0));
        state = state.with("t", state.type("t").applying("3", T0).still("2: bad port"));
        InsightDocument.update(insight, state, "cp-1");
        assertThat(insight.at("/subscriptions/0/status/t/rejection").asText()).isEqualTo("2: bad port");
        assertThat(insight.at("/subscriptions/0/status/t/version").asText()).isEqualTo("3");
    }

    @Test
    void aControlPlaneThatStartsAgainEndsOnlyItsOwnConnections() {
        InsightDocument.update(insight, NodeState.connected("a", "link", T0, null), "cp-1");
        InsightDocument.update(insight, NodeState.connected("b", "xds", T0, null), "cp-2");

        assertThat(InsightDocument.endAllOf(insight, "cp-1", T0.plusSeconds(9))).isTrue();
        assertThat(InsightDocument.endAllOf(insight, "cp-1", T0.plusSeconds(9))).isFalse();
        assertThat(insight.at("/subscriptions/0").has("disconnectTime")).isTrue();
        assertThat(insight.at("/subscriptions/1").has("disconnectTime")).isFalse();
    }
}
