package io.parley.xds.bootstrap;

/** Texts of bootstraps for tests. */
final class BootstrapExamples {
    static final String COMPLETE = """
        {
          "xds_servers": [
            {
              "server_uri": "dns:///control.example:5678",
              "channel_creds": [
                {"type": "google_default"},
                {"type": "tls", "config": {"ca_certificate_file": "/ca.pem", "certificate_file": "/cert.pem",
                                           "private_key_file": "/key.pem", "refresh_interval": "1.5s"}}
              ],
              "call_creds": [{"type": "jwt_token_file", "config": {"jwt_token_file": "/token"}}],
              "server_features": ["xds_v3", "ignore_resource_deletion", "from_the_future"]
            },
            {"server_uri": "second:1", "channel_creds": [{"type": "insecure"}]}
          ],
          "node": {
            "id": "node-1",
            "cluster": "cart",
            "locality": {"region": "r", "zone": "z", "sub_zone": "s"},
            "metadata": {"tier": 2, "blue": true}
          },
          "certificate_providers": {
            "mesh": {"plugin_name": "file_watcher", "config": {"certificate_file": "/c", "private_key_file": "/k",
                                                               "ca_certificate_file": "/ca"}},
            "other": {"plugin_name": "vault", "config": {"path": "pki"}}
          },
          "server_listener_resource_name_template": "inbound/%s",
          "client_default_listener_resource_name_template": "outbound/%s",
          "authorities": {
            "east": {"xds_servers": [{"server_uri": "east:1", "channel_creds": [{"type": "insecure"}]}]},
            "west": {"client_listener_resource_name_template": "xdstp://west/a/%s"}
          },
          "allowed_grpc_services": {"authz:1": {"channel_creds": [{"type": "tls"}]}}
        }\
        """;

    private BootstrapExamples() {}

    /** One server with these fields beside its URI. */
    static String server(String fields) {
        return "{\"xds_servers\": [{\"server_uri\": \"x:1\", " + fields + "}]}";
    }

    /** One server with this value of its features. */
    static String features(String features) {
        return server("\"channel_creds\": [{\"type\": \"insecure\"}], \"server_features\": " + features);
    }

    /** One sound server and these fields beside the list of servers. */
    static String top(String fields) {
        return "{\"xds_servers\": [{\"server_uri\": \"x:1\", \"channel_creds\": [{\"type\": \"insecure\"}]}], " + fields
                + "}";
    }

    static Bootstrap require(BootstrapResult result) {
        return switch (result) {
            case BootstrapResult.Loaded(Bootstrap bootstrap) -> bootstrap;
            case BootstrapResult.Rejected rejected -> throw new AssertionError(rejected.message());
        };
    }
}
