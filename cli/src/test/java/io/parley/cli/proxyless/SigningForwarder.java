package io.parley.cli.proxyless;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** Speaks TLS and shows a token for programs that can do neither: what people put beside such a program that is far from its control plane. */
final class SigningForwarder implements AutoCloseable {
    private final ClientFactory factory;
    private final Server server;

    SigningForwarder(int machinePort, Path ca, String token) {
        factory = ClientFactory.builder()
                .tlsCustomizer(tls -> tls.trustManager(ca.toFile()))
                .build();
        WebClient control = WebClient.builder("h2://localhost:" + machinePort)
                .factory(factory)
                .responseTimeout(Duration.ZERO)
                .maxResponseLength(0)
                .build();
        server = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .requestTimeout(Duration.ZERO)
                .maxRequestLength(0)
                .serviceUnder("/", (_, request) -> forward(control, request, token))
                .build();
        server.start().join();
    }

    private static HttpResponse forward(WebClient control, HttpRequest request, String token) {
        return control.execute(request.withHeaders(request.headers().toBuilder()
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token)
                .build()));
    }

    int port() {
        return server.activeLocalPort();
    }

    @Override
    public void close() {
        server.stop().join();
        factory.close();
    }
}
