package io.parley.sync.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Document;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Specs on their way to a peer that takes protobuf only, and back: nothing is lost. */
class SpecMessagesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Mesh |"
                    + " {'tracing':{'defaultBackend':'z','backends':[{'name':'z','sampling':80.5,'type':'zipkin','conf':{'url':'http://z'}}]}}",
                "Mesh |"
                    + " {'logging':{'backends':[{'name':'f','format':'%START%','type':'file','conf':{'path':'/log'}}]}}",
                "Mesh |"
                    + " {'metrics':{'enabledBackend':'p','backends':[{'name':'p','type':'prometheus','conf':{'path':'/m'}}]}}",
                "Mesh |"
                    + " {'constraints':{'dataplaneProxy':{'requirements':[{'tags':{'a':'b'}}],'restrictions':[{'tags':{'c':'*'}}]}}}",
                "Mesh |"
                    + " {'mtls':{'enabledBackend':'ca','backends':[{'name':'ca','type':'builtin','dpCert':{'rotation':{'expiration':'1d'},'requestTimeout':'10s'},'mode':'PERMISSIVE','rootChain':{'requestTimeout':'5s'}}],'skipValidation':true}}",
                "Dataplane |"
                    + " {'networking':{'inbound':[{'tags':{'kuma.io/service':'web'},'port':80,'health':{'ready':true},'serviceProbe':{'interval':'5s','timeout':'2s','unhealthyThreshold':3,'healthyThreshold':1,'tcp':{}},'state':'NotReady'}],'address':'10.0.0.1','admin':{'port':9901}}}",
                "Dataplane |"
                    + " {'networking':{'outbound':[{'port':1,'backendRef':{'kind':'MeshService','name':'b','port':80,'labels':{'a':'b'}}}],'transparentProxying':{'redirectPortInbound':15006,'redirectPortOutbound':15001,'directAccessServices':['*'],'reachableServices':['x'],'ipFamilyMode':'IPv4'}}}",
                "Dataplane |"
                    + " {'metrics':{'name':'p','type':'prometheus','conf':{'path':'/x'}},'probes':{'port':9000,'endpoints':[{'inboundPort':80,'inboundPath':'/ok','path':'/80/ok'}]}}",
                "DataplaneInsight |"
                    + " {'subscriptions':[{'id':'1','status':{'lastUpdateTime':'2026-01-01T00:00:00Z','total':{'responsesSent':'5','responsesAcknowledged':'4','responsesRejected':'1'}},'version':{'kumaDp':{'version':'2.9.0','kumaCpCompatible':true},'envoy':{'version':'1.31','kumaDpCompatible':true},'dependencies':{'coredns':'1.11'}}}],'mTLS':{'certificateExpirationTime':'2026-01-02T00:00:00Z','certificateRegenerations':2,'issuedBackend':'ca'}}",
                "ExternalService |"
                    + " {'networking':{'address':'a.example:443','tls':{'enabled':true,'caCert':{'secret':'ca'},'clientCert':{'inlineString':'x'},'clientKey':{'inline':'QUJD'},'allowRenegotiation':false,'serverName':'b.example','skipHostnameVerification':true},'disableHostDNSEntry':true},'tags':{'kuma.io/service':'a'}}",
                "MeshGateway |"
                    + " {'selectors':[{'match':{'kuma.io/service':'edge'}}],'tags':{'a':'b'},'conf':{'listeners':[{'hostname':'*','port':443,'protocol':'HTTPS','tls':{'mode':'TERMINATE','certificates':[{'secret':'c'}]},'tags':{'p':'q'},'crossMesh':true,'resources':{'connectionLimit':9}}]}}",
                "ServiceInsight |"
                    + " {'services':{'web':{'status':'partially_degraded','dataplanes':{'total':2,'online':1,'offline':1},'issuedBackends':{'ca':2},'serviceType':'external','addressPort':'web.mesh:80','zones':['z']}}}",
                "VirtualOutbound |"
                    + " {'selectors':[{'match':{'kuma.io/service':'*'}}],'conf':{'host':'{{.service}}.mesh','port':'80','parameters':[{'name':'service','tagKey':'kuma.io/service'}]}}",
                "ZoneIngress | {'zone':'z','networking':{'address':'10.0.0.1','port':10001,'admin':{'port':9901}}}",
                "ZoneEgress | {'zone':'z','networking':{'address':'10.0.0.1','port':10002,'admin':{'port':9901}}}",
            })
    void comesBackAsItWas(String name, String json) throws Exception {
        Kind kind = kind(name);
        String spec = json.replace('\'', '"');
        String back = SpecMessages.unpack(
                kind, SpecMessages.pack(kind, new Document(spec)).orElseThrow());
        assertThat(new Document(back).tree()).isEqualTo(new Document(spec).tree());
    }

    /** Fields whose place or type on the wire was once another than Kuma's, which made them unreadable to it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Mesh | {'mtls':{'skipValidation':true}} | 0a021801",
                "ExternalService | {'networking':{'tls':{'skipHostnameVerification':true}}} | 0a0612043a020801",
                "Dataplane | {'envoy':{'xdsTransportProtocolVariant':'DELTA_GRPC'}} | 22020801",
                "VirtualOutbound | {'conf':{'port':'80','parameters':[{'name':'a','tagKey':'b'}]}} |"
                        + " 120c120238301a060a0161120162",
            })
    void isOnTheWireAsKumaHasIt(String name, String json, String bytes) {
        var packed = SpecMessages.pack(kind(name), new Document(json.replace('\'', '"')));
        assertThat(HexFormat.of().formatHex(packed.orElseThrow().getValue().toByteArray()))
                .isEqualTo(bytes);
    }

    @Test
    void kindsWithoutAMessageAreNotUnderstoodByPeersThatTakeNothingElse() {
        assertThat(ResourceCodec.isUnderstood(kind("Retry"), Encoding.Specs.PROTOBUF))
                .isFalse();
        assertThat(ResourceCodec.isUnderstood(kind("Retry"), Encoding.Specs.JSON))
                .isTrue();
        assertThat(ResourceCodec.isUnderstood(kind("MeshRetry"), Encoding.Specs.PROTOBUF))
                .isTrue();
    }

    private static Kind kind(String name) {
        return Kinds.all().stream()
                .filter(Kind::isOfMesh)
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
