package io.parley.proxy.http2;

import static io.parley.proxy.config.xds.Resources.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.xds.http.HttpReading;
import io.parley.proxy.config.xds.http.Problems;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Limits that a connection manager sets hold for requests. */
class LimitsAsToldTest {
    private static HttpConfig told(String limits) {
        HttpConnectionManager manager = read(
                        "route_config { virtual_hosts { name: 'all' domains: '*'"
                                + " routes { match { prefix: '/' } route { cluster: 'app' } } } } " + limits,
                        HttpConnectionManager.newBuilder())
                .build();
        Problems none = (path, message) -> {
            throw new AssertionError(path + ": " + message);
        };
        return HttpReading.manager(manager, none)
                .with("way", HttpReading.routes(manager.getRouteConfig(), none), Forwarding.KEPT);
    }

    private static String get(HttpProxy proxy, String fields) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            return client.send("GET / HTTP/1.1\r\nHost: x\r\n" + fields + "Connection: close\r\n\r\n")
                    .readAll();
        }
    }

    @Test
    void aHeadIsAsLargeAsItMayBe() throws IOException {
        String field = "X-A: " + "a".repeat(1_100) + "\r\n";
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy small = HttpProxy.with(
                        told("max_request_headers_kb { value: 1 }"),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                HttpProxy large = HttpProxy.with(
                        told("max_request_headers_kb { value: 96 }"),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()))) {
            assertThat(get(small, field)).startsWith("HTTP/1.1 431");
            assertThat(get(small, "X-A: a\r\n")).startsWith("HTTP/1.1 200");
            assertThat(get(large, field.repeat(70))).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void aHeadHasAsManyFieldsAsItMay() throws IOException {
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy few = HttpProxy.with(
                        told("common_http_protocol_options { max_headers_count { value: 3 } }"),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()));
                HttpProxy many = HttpProxy.with(
                        told("common_http_protocol_options { max_headers_count { value: 300 } }"),
                        HttpProxy.cluster("app", Version.HTTP1, server.port()))) {
            assertThat(get(few, "X-A: a\r\n")).startsWith("HTTP/1.1 200");
            assertThat(get(few, "X-A: a\r\nX-B: b\r\n")).startsWith("HTTP/1.1 431");
            assertThat(get(many, "X-A: a\r\n".repeat(250))).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void asManyStreamsAreOpenAsMayBe() throws IOException {
        try (Server server = FramePeer.server(FramePeer::drain);
                HttpProxy proxy = HttpProxy.with(
                        told("http2_protocol_options { max_concurrent_streams { value: 1 } }"),
                        HttpProxy.cluster("app", Version.HTTP2, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            client.get(3, "/");
            assertThat(client.message(3).reset()).isEqualTo(Http2Error.REFUSED_STREAM);
        }
    }
}
