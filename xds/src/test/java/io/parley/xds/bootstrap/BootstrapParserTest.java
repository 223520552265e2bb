package io.parley.xds.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.xds.bootstrap.BootstrapError.BadValue;
import io.parley.xds.bootstrap.BootstrapError.Empty;
import io.parley.xds.bootstrap.BootstrapError.Missing;
import io.parley.xds.bootstrap.BootstrapError.NoSupportedCredentials;
import io.parley.xds.bootstrap.BootstrapError.NotJson;
import io.parley.xds.bootstrap.BootstrapError.TooLarge;
import io.parley.xds.bootstrap.BootstrapError.WrongType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BootstrapParserTest {
    @Test
    void readsServersAndNode() {
        Bootstrap bootstrap = loaded(BootstrapExamples.COMPLETE);

        assertThat(bootstrap.servers())
                .containsExactly(
                        new XdsServer(
                                "dns:///control.example:5678",
                                new ChannelCredentials.Tls(
                                        Path.of("/ca.pem"),
                                        new ChannelCredentials.KeyFiles(Path.of("/cert.pem"), Path.of("/key.pem")),
                                        Duration.ofMillis(1500)),
                                List.of(new CallCredentials.JwtTokenFile(Path.of("/token"))),
                                Set.of("xds_v3", "ignore_resource_deletion", "from_the_future")),
                        new XdsServer("second:1", new ChannelCredentials.Insecure(), List.of(), Set.of()));
        assertThat(bootstrap.node())
                .isEqualTo(Node.newBuilder()
                        .setId("node-1")
                        .setCluster("cart")
                        .setLocality(Locality.newBuilder()
                                .setRegion("r")
                                .setZone("z")
                                .setSubZone("s"))
                        .setMetadata(Struct.newBuilder()
                                .putFields(
                                        "tier",
                                        Value.newBuilder().setNumberValue(2).build())
                                .putFields(
                                        "blue",
                                        Value.newBuilder().setBoolValue(true).build()))
                        .build());
    }

    @Test
    void readsEverythingElse() {
        Bootstrap bootstrap = loaded(BootstrapExamples.COMPLETE);

        assertThat(bootstrap.certificateProviders())
                .containsEntry(
                        "mesh",
                        new CertificateProvider.FileWatcher(
                                new ChannelCredentials.KeyFiles(Path.of("/c"), Path.of("/k")),
                                Path.of("/ca"),
                                Duration.ofMinutes(10)))
                .containsEntry("other", new CertificateProvider.Unknown("vault", "{\"path\":\"pki\"}"));
        assertThat(bootstrap.serverListenerTemplate()).isEqualTo("inbound/%s");
        assertThat(bootstrap.clientListenerTemplate()).isEqualTo("outbound/%s");
        assertThat(bootstrap.authorities())
                .containsEntry(
                        "east",
                        new Bootstrap.Authority(
                                "xdstp://east/envoy.config.listener.v3.Listener/%s",
                                List.of(new XdsServer(
                                        "east:1", new ChannelCredentials.Insecure(), List.of(), Set.of()))))
                .containsEntry("west", new Bootstrap.Authority("xdstp://west/a/%s", List.of()));
        assertThat(bootstrap.serversOf("west")).contains(bootstrap.servers());
        assertThat(bootstrap.serversOf("north")).isEmpty();
        assertThat(bootstrap.allowedGrpcServices())
                .containsEntry(
                        "authz:1", new Bootstrap.GrpcServiceAccess(ChannelCredentials.Tls.systemRoots(), List.of()));
    }

    @Test
    void hasDefaults() {
        Bootstrap bootstrap = loaded(BootstrapExamples.server("\"channel_creds\":[{\"type\":\"insecure\"}]"));

        assertThat(bootstrap)
                .isEqualTo(Bootstrap.of(
                        List.of(new XdsServer("x:1", new ChannelCredentials.Insecure(), List.of(), Set.of())),
                        Node.getDefaultInstance()));
        assertThat(bootstrap.serverListenerTemplate()).isNull();
        assertThat(bootstrap.clientListenerTemplate()).isEqualTo("%s");
    }

    @Test
    void ignoresFieldsOfTheFuture() {
        assertThat(loaded("""
            {"zzz": [{"deep": {}}], "xds_servers": [{"server_uri": "x:1", "server_weight": 3,
             "channel_creds": [{"type": "insecure", "more": 1}]}], "node": {"id": "n", "mood": "good"}}\
            """).node().getId()).isEqualTo("n");
    }

    @Test
    void c3_ignoresFeaturesThatAreNoStrings() {
        assertThat(features("[42, {\"a\": [1]}, null, true, [\"xds_v2\"], \"x\", \"xds_v3\"]"))
                .containsExactly("x", "xds_v3");
    }

    @Test
    void c4_featuresMayBeNullAbsentOrEmpty() {
        assertThat(features("null")).isEmpty();
        assertThat(features("[]")).isEmpty();
    }

    @Test
    void c5_featuresThatAreNoListAreAnError() {
        assertThat(errors(BootstrapExamples.features("{\"xds_v3\": true}")))
                .containsExactly(new WrongType("xds_servers[0].server_features", "a list", "object {\"xds_v3\":true}"));
        assertThat(errors(BootstrapExamples.features("\"xds_v3\"")))
                .containsExactly(new WrongType("xds_servers[0].server_features", "a list", "string \"xds_v3\""));
    }

    @Test
    void c13_theFirstSupportedCredentialsWin() {
        assertThat(loaded(BootstrapExamples.server("""
            "channel_creds": [{"type": "google_default"}, {"type": "quantum", "config": 7},
                              {"type": "tls"}, {"type": "insecure"}]\
            """)).servers().getFirst().channelCredentials())
                .isEqualTo(ChannelCredentials.Tls.systemRoots());
    }

    @Test
    void unknownCallCredentialsAreSkipped() {
        assertThat(loaded(BootstrapExamples.server("""
            "channel_creds": [{"type": "insecure"}],
            "call_creds": [{"type": "sts"}, {"type": "jwt_token_file", "config": {"jwt_token_file": "/t"}}]\
            """)).servers().getFirst().callCredentials())
                .containsExactly(new CallCredentials.JwtTokenFile(Path.of("/t")));
    }

    @Test
    void serversAreTheSameIfTheyDifferOnlyInUnknownFeatures() {
        XdsServer one = loaded(BootstrapExamples.features("[\"xds_v3\", \"a\"]"))
                .servers()
                .getFirst();
        XdsServer two = loaded(BootstrapExamples.features("[\"b\", \"xds_v3\"]"))
                .servers()
                .getFirst();
        XdsServer three = loaded(BootstrapExamples.features("[]")).servers().getFirst();

        assertThat(one.identity()).isEqualTo(two.identity()).isNotEqualTo(three.identity());
    }

    @Nested
    class C12BadBootstraps {
        @Test
        void c12_notJson() {
            assertThat(errors("nonsense")).singleElement().isInstanceOf(NotJson.class);
            assertThat(errors("")).singleElement().isInstanceOf(NotJson.class);
            assertThat(errors("[]")).containsExactly(new NotJson("no JSON object"));
            assertThat(errors("{} {}")).singleElement().isInstanceOf(NotJson.class);
        }

        @Test
        void c12_oneFieldTwice() {
            assertThat(errors("{\"node\": {}, \"node\": {}}"))
                    .singleElement()
                    .isInstanceOf(NotJson.class)
                    .extracting(BootstrapError::message)
                    .asString()
                    .contains("Duplicate field 'node'");
        }

        @Test
        void c12_nestedTooDeep() {
            assertThat(errors("{\"a\":" + "[".repeat(100_000))).singleElement().isInstanceOf(NotJson.class);
            String metadata = "{\"a\":".repeat(30) + "1" + "}".repeat(30);
            assertThat(errors("""
                {"xds_servers": [{"server_uri": "x", "channel_creds": [{"type": "insecure"}]}],
                 "node": {"metadata": %s}}\
                """.formatted(metadata)))
                    .containsExactly(new BadValue("node.metadata", "at most 20 levels", "deeper nesting"));
        }

        @Test
        void c12_tooLarge() {
            assertThat(errors(" ".repeat(BootstrapParser.MAX_BYTES + 1)))
                    .containsExactly(new TooLarge(BootstrapParser.MAX_BYTES));
        }

        @Test
        void c12_noServers() {
            assertThat(errors("{}")).containsExactly(new Missing("xds_servers", "a list with at least one xDS server"));
        }

        @Test
        void c12_emptyServers() {
            assertThat(errors("{\"xds_servers\": []}"))
                    .containsExactly(new Empty("xds_servers", "a list with at least one xDS server"));
        }

        @Test
        void c12_serversAreNoList() {
            assertThat(errors("{\"xds_servers\": {}}"))
                    .containsExactly(new WrongType("xds_servers", "a list", "object {}"));
            assertThat(errors("{\"xds_servers\": [\"x:1\"]}"))
                    .contains(new WrongType("xds_servers[0]", "an object", "string \"x:1\""));
        }

        @Test
        void c12_noServerUri() {
            assertThat(errors("{\"xds_servers\": [{\"channel_creds\": [{\"type\": \"insecure\"}]}]}"))
                    .containsExactly(new Missing("xds_servers[0].server_uri", "a gRPC target such as host:port"));
            assertThat(errors("{\"xds_servers\": [{\"server_uri\": \" \", \"channel_creds\": [{\"type\":"
                            + " \"insecure\"}]}]}"))
                    .containsExactly(
                            new BadValue("xds_servers[0].server_uri", "a gRPC target such as host:port", "\" \""));
        }

        @Test
        void c12_noChannelCredentials() {
            assertThat(errors("{\"xds_servers\": [{\"server_uri\": \"x:1\"}]}"))
                    .containsExactly(
                            new Missing("xds_servers[0].channel_creds", "a list with at least one of [insecure, tls]"));
            assertThat(errors(BootstrapExamples.server("\"channel_creds\": []")))
                    .containsExactly(
                            new Empty("xds_servers[0].channel_creds", "a list with at least one of [insecure, tls]"));
        }

        @Test
        void c12_credentialsWithoutAType() {
            assertThat(errors(BootstrapExamples.server("\"channel_creds\": [{\"config\": {}}]")))
                    .containsExactly(new Missing("xds_servers[0].channel_creds[0].type", "a type of credentials"));
        }

        @Test
        void c12_noSupportedCredentials() {
            assertThat(errors(BootstrapExamples.server("\"channel_creds\": [{\"type\": \"google_default\"}]")))
                    .containsExactly(new NoSupportedCredentials(
                            "xds_servers[0].channel_creds", List.of("google_default"), List.of("insecure", "tls")));
        }

        @Test
        void c12_certificateWithoutKey() {
            assertThat(errors(BootstrapExamples.server(
                            "\"channel_creds\": [{\"type\": \"tls\", \"config\": {\"certificate_file\": \"/c\"}}]")))
                    .containsExactly(new Missing(
                            "xds_servers[0].channel_creds[0].config.private_key_file", "the key of certificate_file"));
        }

        @Test
        void c12_badFileName() {
            assertThat(errors(BootstrapExamples.server("\"channel_creds\": [{\"type\": \"tls\", \"config\":"
                            + " {\"ca_certificate_file\": \"a\\u0000\"}}]")))
                    .singleElement()
                    .isInstanceOf(BadValue.class);
        }

        @Test
        void c12_badInterval() {
            for (String interval : List.of("600", "-1s", "0s", "1.s", "9999999999999999999s", "1h")) {
                assertThat(errors(BootstrapExamples.server(
                                "\"channel_creds\": [{\"type\": \"tls\", \"config\": {\"refresh_interval\": \"%s\"}}]"
                                        .formatted(interval))))
                        .as(interval)
                        .containsExactly(new BadValue(
                                "xds_servers[0].channel_creds[0].config.refresh_interval",
                                "a positive duration such as 600s",
                                interval));
            }
        }

        @Test
        void c12_authorityTemplateWithAnotherPrefix() {
            assertThat(errors(BootstrapExamples.top("""
                "authorities": {"east": {"client_listener_resource_name_template": "xdstp://west/%s"}}\
                """)))
                    .containsExactly(new BadValue(
                            "authorities[east].client_listener_resource_name_template",
                            "a text that starts with xdstp://east/",
                            "xdstp://west/%s"));
        }

        @Test
        void c12_certificateProviderWithoutPluginOrConfig() {
            assertThat(errors(BootstrapExamples.top("\"certificate_providers\": {\"a\": {\"config\": {}}}")))
                    .containsExactly(new Missing("certificate_providers[a].plugin_name", "the name of a plugin"));
            assertThat(errors(BootstrapExamples.top("\"certificate_providers\": {\"a\": {\"plugin_name\": \"p\"}}")))
                    .containsExactly(
                            new Missing("certificate_providers[a].config", "an object with the plugin's settings"));
            assertThat(errors(BootstrapExamples.top(
                            "\"certificate_providers\": {\"a\": {\"plugin_name\": \"file_watcher\", \"config\": {}}}")))
                    .singleElement()
                    .isInstanceOf(BadValue.class);
        }

        @Test
        void c12_nodeOfTheWrongShape() {
            assertThat(errors(BootstrapExamples.top("\"node\": [], \"authorities\": 3")))
                    .containsExactly(
                            new WrongType("node", "an object", "array []"),
                            new WrongType("authorities", "an object", "number 3"));
            assertThat(errors(BootstrapExamples.top("\"node\": {\"id\": 7, \"metadata\": \"m\"}")))
                    .containsExactly(
                            new WrongType("node.id", "a string", "number 7"),
                            new WrongType("node.metadata", "an object", "string \"m\""));
        }

        @Test
        void c12_allErrorsAtOnceInOneReadableLine() {
            BootstrapResult result = BootstrapParser.parse("{\"xds_servers\": [{}], \"node\": 1}".getBytes(UTF_8));

            assertThat(((BootstrapResult.Rejected) result).message())
                    .isEqualTo("xds_servers[0].server_uri: missing (expected: a gRPC target such as host:port);"
                            + " xds_servers[0].channel_creds: missing (expected: a list with at least one of"
                            + " [insecure, tls]); node: number 1 (expected: an object)");
        }
    }

    private static Set<String> features(String json) {
        return loaded(BootstrapExamples.features(json)).servers().getFirst().features();
    }

    private static Bootstrap loaded(String json) {
        return BootstrapExamples.require(BootstrapParser.parse(json.getBytes(UTF_8)));
    }

    private static List<BootstrapError> errors(String json) {
        BootstrapResult result = BootstrapParser.parse(json.getBytes(UTF_8));
        assertThat(result).isInstanceOf(BootstrapResult.Rejected.class);
        return ((BootstrapResult.Rejected) result).errors();
    }
}
