package io.parley.xds.server.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A bootstrap file for a gRPC client: the xDS server, its version, and where certificates are. */
record Bootstrap(int port, boolean v3, Optional<Path> certificates) {
    static Bootstrap v2(int port) {
        return new Bootstrap(port, false, Optional.empty());
    }

    static Bootstrap v3(int port) {
        return new Bootstrap(port, true, Optional.empty());
    }

    Path write(Path folder, String name) throws IOException {
        String providers = certificates.map(path -> """
            "certificate_providers": {"mesh": {"plugin_name": "file_watcher", "config": {
              "certificate_file": "%1$s/cert.pem", "private_key_file": "%1$s/key.pem",
              "ca_certificate_file": "%1$s/cert.pem", "refresh_interval": "600s"}}},
            """.formatted(path)).orElse("");
        String text = """
            {"xds_servers": [{"server_uri": "127.0.0.1:%d", "channel_creds": [{"type": "insecure"}],
              "server_features": [%s]}],
             %s
             "server_listener_resource_name_template": "server/%%s",
             "node": {"id": "%s", "cluster": "test", "locality": {"region": "r", "zone": "z"}}}
            """.formatted(port, v3 ? "\"xds_v3\"" : "", providers, name);
        return Files.writeString(folder.resolve("bootstrap-" + name.replace(' ', '-') + ".json"), text);
    }
}
