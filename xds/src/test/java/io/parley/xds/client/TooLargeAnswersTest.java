package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.v3;
import static io.parley.xds.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.Status;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TooLargeAnswersTest {
    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer server = v3();

    /** It will be as large next time. */
    @Test
    void anAnswerThatIsTooLargeIsAskedForLessAndLessOften() {
        ScriptedServer scripted = rig.start(server);
        Events<Cluster> events = rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        for (long wait : List.of(1_000L, 1_600L, 2_560L)) {
            scripted.sotw().send(answer(ResourceType.CLUSTER, "1", "n1", Sample.cluster("a")));
            scripted.sotw().fail(Status.RESOURCE_EXHAUSTED.withDescription("too large"));
            int opened = scripted.streamCount();
            rig.loop.advance(Duration.ofMillis(wait - 1));
            assertThat(scripted.streamCount()).isEqualTo(opened);
            rig.loop.advance(Duration.ofMillis(1));
            assertThat(scripted.streamCount()).isEqualTo(opened + 1);
        }
        assertThat(events.seen()).allMatch(seen -> seen.equals("+a@1"));
    }
}
