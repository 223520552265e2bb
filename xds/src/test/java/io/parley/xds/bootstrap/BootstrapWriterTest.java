package io.parley.xds.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BootstrapWriterTest {
    @Test
    void writesWhatItsReaderReads() {
        Bootstrap bootstrap =
                BootstrapExamples.require(BootstrapParser.parse(BootstrapExamples.COMPLETE.getBytes(UTF_8)));

        String text = BootstrapWriter.write(bootstrap);

        assertThat(BootstrapExamples.require(BootstrapParser.parse(text.getBytes(UTF_8))))
                .isEqualTo(bootstrap);
    }

    @Test
    void writesWhatImpatientClientsInsistOn() throws IOException {
        Bootstrap bootstrap = Bootstrap.of(
                List.of(new XdsServer("x:1", new ChannelCredentials.Insecure(), List.of(), Set.of("xds_v3"))),
                Node.newBuilder().setId("n").build());

        JsonNode json = new ObjectMapper().readTree(BootstrapWriter.write(bootstrap));

        assertThat(json).isEqualTo(new ObjectMapper().readTree("""
            {"xds_servers": [{"server_uri": "x:1", "channel_creds": [{"type": "insecure"}],
                              "server_features": ["xds_v3"]}],
             "node": {"id": "n", "locality": {}}}\
            """));
    }

    @Test
    void refusesANodeWithoutAnId() {
        Bootstrap bootstrap = Bootstrap.of(
                List.of(new XdsServer("x:1", new ChannelCredentials.Insecure(), List.of(), Set.of())),
                Node.getDefaultInstance());

        assertThatThrownBy(() -> BootstrapWriter.write(bootstrap)).hasMessageContaining("node.id: empty");
    }
}
