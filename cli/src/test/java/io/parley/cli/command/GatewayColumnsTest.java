package io.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.parley.resource.KindId;
import io.parley.resource.kind.Kinds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a table says of Gateway API objects. */
class GatewayColumnsTest {
    private static final JsonMapper MANIFESTS = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES, JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .build();
    private static final String GATEWAY = """
        {metadata: {generation: 2},
         spec: {gatewayClassName: 'parley'},
         status: {addresses: [{value: '127.0.0.1'}], conditions: [
          {type: 'Accepted', status: 'True', reason: 'Accepted', observedGeneration: 2},
          {type: 'Programmed', status: 'True', reason: 'Programmed', observedGeneration: 2}]}}
        """;

    private static List<String> row(String kind, String manifest) throws IOException {
        JsonNode resource = MANIFESTS.readTree(manifest);
        return GatewayColumns.of(Kinds.require(new KindId("gateway.networking.k8s.io/" + kind))).stream()
                .map(column -> column.value().apply(resource))
                .toList();
    }

    @Test
    void aGatewaySaysWhereItIsAndWhetherItIsServed() throws IOException {
        assertThat(row("Gateway", GATEWAY)).containsExactly("parley", "127.0.0.1", "True");
        assertThat(row("Gateway", GATEWAY.replace("'True', reason: 'Programmed'", "'False', reason: 'Pending'")))
                .containsExactly("parley", "127.0.0.1", "False:Pending");
    }

    @Test
    void whatWasSaidOfAnEarlierGenerationIsNotSaidOfThisOne() throws IOException {
        assertThat(row("Gateway", GATEWAY.replace("{generation: 2}", "{generation: 3}")))
                .containsExactly("parley", "127.0.0.1", "Unknown");
    }

    @Test
    void aRouteSaysWhatItsParentsMakeOfIt() throws IOException {
        String route = """
            {metadata: {generation: 1},
             spec: {hostnames: ['a.example', 'b.example']},
             status: {parents: [
              {conditions: [
               {type: 'Accepted', status: 'True', reason: 'Accepted', observedGeneration: 1},
               {type: 'ResolvedRefs', status: 'True', reason: 'ResolvedRefs', observedGeneration: 1}]},
              {conditions: [
               {type: 'Accepted', status: 'False', reason: 'NoMatchingParent', observedGeneration: 1},
               {type: 'ResolvedRefs', status: 'True', reason: 'ResolvedRefs', observedGeneration: 1}]}]}}
            """;
        assertThat(row("HTTPRoute", route))
                .containsExactly("a.example,b.example", "True,False:NoMatchingParent", "True");
        assertThat(row("HTTPRoute", route.replace("metadata: {generation: 1}", "metadata: {generation: 2}")))
                .containsExactly("a.example,b.example", "Unknown", "Unknown");
    }
}
