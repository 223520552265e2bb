package io.parley.xds.client;

import static io.parley.xds.client.ClientRig.v3;
import static io.parley.xds.client.ScriptedServer.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that answers a refusal with what was just refused, as go-control-plane does. */
class ClientRefusalTest {
    @RegisterExtension
    final ClientRig rig = new ClientRig();

    private final XdsServer server = v3();

    @Test
    void whatIsRefusedAgainAndAgainIsToldOfEverMoreSlowly() {
        ScriptedServer scripted = rig.start(server);
        rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        int told = scripted.sotw().requests().size();
        scripted.sotw().send(bad("n1"));
        assertThat(scripted.sotw().requests()).as("the first, at once").hasSize(++told);

        for (int millis : new int[] {333, 666, 1332, 2664, 5000, 5000}) {
            scripted.sotw().send(bad("again"));
            rig.loop.advance(Duration.ofMillis(millis - 1));
            assertThat(scripted.sotw().requests()).hasSize(told);
            rig.loop.advance(Duration.ofMillis(1));
            assertThat(scripted.sotw().requests()).hasSize(++told);
            assertThat(scripted.sotw().last().hasErrorDetail()).isTrue();
        }

        scripted.sotw().send(bad("waits"));
        scripted.sotw().send(answer(ResourceType.CLUSTER, "2", "sound", Sample.cluster("a")));
        assertThat(scripted.sotw().last().getVersionInfo()).as("at once").isEqualTo("2");
        assertThat(rig.loop.pending()).isZero();
    }

    @Test
    void aNewNameIsAskedForWhileARefusalWaits() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        rig.watch(client, ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(bad("n1"));
        scripted.sotw().send(bad("n2"));

        rig.watch(client, ProtoParser.CLUSTERS, "b");

        assertThat(scripted.sotw().last().getResourceNamesList()).containsExactly("a", "b");
        assertThat(scripted.sotw().last().getResponseNonce()).isEqualTo("n2");
        assertThat(scripted.sotw().last().hasErrorDetail()).isTrue();
        int told = scripted.sotw().requests().size();
        rig.loop.advance(Duration.ofSeconds(1));
        assertThat(scripted.sotw().requests()).as("told once").hasSize(told);
    }

    @Test
    void othersAreToldOfAtOnceWhileARefusalWaits() {
        ScriptedServer scripted = rig.start(server);
        XdsClient client = rig.client(server);
        rig.watch(client, ProtoParser.CLUSTERS, "a");
        Events<ClusterLoadAssignment> events = rig.watch(client, ProtoParser.ENDPOINTS, "e");
        scripted.sotw().send(bad("n1"));
        scripted.sotw().send(bad("n2"));

        scripted.sotw().send(answer(ResourceType.ENDPOINT, "1", "e1", Sample.endpoints("e", "::1")));

        assertThat(events.seen()).containsExactly("+e@1");
        assertThat(scripted.sotw().last().getResponseNonce()).isEqualTo("e1");
        scripted.sotw()
                .requests()
                .forEach(request -> assertThat(request.getResponseNonce()).isNotEqualTo("n2"));
    }

    @Test
    void whatWasToBeSaidOnALostStreamIsNotSaidOnTheNext() {
        ScriptedServer scripted = rig.start(server);
        rig.watch(rig.client(server), ProtoParser.CLUSTERS, "a");
        scripted.sotw().send(bad("n1"));
        scripted.sotw().send(bad("n2"));

        scripted.sotw().fail(Status.UNAVAILABLE);
        rig.loop.advance(Duration.ofSeconds(5));

        assertThat(scripted.streamCount()).isEqualTo(2);
        assertThat(scripted.sotw().requests()).hasSize(1);
        assertThat(scripted.sotw().last().getResponseNonce()).isEmpty();
        assertThat(scripted.sotw().last().hasErrorDetail()).isFalse();
    }

    private static DiscoveryResponse bad(String nonce) {
        Any garbage = Any.newBuilder()
                .setTypeUrl(ResourceType.CLUSTER.url(ApiVersion.V3))
                .setValue(ByteString.copyFromUtf8("\u0001"))
                .build();
        return answer(ResourceType.CLUSTER, "1", nonce, garbage);
    }
}
