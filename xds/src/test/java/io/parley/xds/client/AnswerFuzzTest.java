package io.parley.xds.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.parley.xds.client.resource.Decoded;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.client.resource.ResourceDecoder;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

class AnswerFuzzTest {
    private static final List<ProtoParser<?>> PARSERS = List.of(
            ProtoParser.LISTENERS,
            ProtoParser.ROUTES,
            ProtoParser.CLUSTERS,
            ProtoParser.ENDPOINTS,
            ProtoParser.SECRETS);

    /** Whatever a server sends, it is accepted or refused with a reason, and the next request can be made. */
    @FuzzTest
    void everyAnswerGetsAReply(byte[] bytes) {
        DiscoveryResponse message;
        try {
            message = DiscoveryResponse.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return;
        }
        SotwDialogue dialogue = new SotwDialogue(ApiVersion.V3, Node.getDefaultInstance());
        Names names = new Names(false, new TreeSet<>(List.of("a")));
        dialogue.restart();
        for (ResourceType _ : ResourceType.values()) {
            assertThat(dialogue.next(type -> names)).isPresent();
        }
        for (ProtoParser<?> parser : PARSERS) {
            check(dialogue, message, parser, names);
        }
    }

    private static void check(SotwDialogue dialogue, DiscoveryResponse message, ProtoParser<?> parser, Names names) {
        Answer answer = new Answer.Sotw(parser.type(), message);
        Decoded<?> decoded = answer.decode(new ResourceDecoder<>(parser));
        assertThat(decoded.valid().size()
                        + decoded.problems().size()
                        + decoded.heartbeats().size())
                .isLessThanOrEqualTo(message.getResourcesCount());
        assertThat(decoded.valid()).doesNotContainKey("");
        dialogue.conclude(message, answer, new Verdict(Map.of(), Set.of(), decoded.problems()));
        dialogue.changed(answer.type());
        var request = dialogue.next(type -> names).orElseThrow();
        assertThat(request.type()).isEqualTo(parser.type());
        assertThat(request.request().hasErrorDetail())
                .isEqualTo(!decoded.problems().isEmpty());
        assertThat(ResourceType.find(request.request().getTypeUrl())).contains(parser.type());
        assertThat(request.request().toByteArray()).isNotEmpty();
    }
}
