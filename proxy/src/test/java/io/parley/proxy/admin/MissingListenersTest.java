package io.parley.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.parley.proxy.Direction;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Routing.Unknown;
import io.parley.proxy.listen.CannotListenException;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.CertificateSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A proxy that cannot listen tells which of its listeners is in the way of whom. */
class MissingListenersTest {
    @Test
    void whoseConfigurationIsRefusedSaysWhichListenerWantedTheAddress() throws IOException {
        try (TestMesh mesh = new TestMesh();
                ServerSocket taken = new ServerSocket(0, 1, TestMesh.loopback())) {
            Proxy proxy = mesh.start(CertificateSource.none(), ProxyConfig.EMPTY);
            AdminPages pages = new AdminPages(proxy, () -> TestMesh.TOLD, () -> {});
            assertThat(ready(pages).body()).isEqualTo("no configuration yet\n");

            assertThatThrownBy(() -> proxy.apply(config("outbound:a", taken.getLocalPort())))
                    .isInstanceOf(CannotListenException.class)
                    .hasMessageContaining("(listener outbound:a: another port, or end what has this one)");
            assertThat(ready(pages).status()).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
            assertThat(ready(pages).body())
                    .startsWith("cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": ")
                    .contains("listener outbound:a");
            var missing = Dump.config(proxy, TestMesh.TOLD).at("/missingListeners/0");
            assertThat(missing.path("name").asText()).isEqualTo("outbound:a");
            assertThat(missing.path("address").asText()).isEqualTo("127.0.0.1:" + taken.getLocalPort());

            proxy.apply(config("outbound:a", 0));
            assertThat(ready(pages).status()).isEqualTo(HttpResponseStatus.OK);
            assertThat(Dump.config(proxy, TestMesh.TOLD).path("missingListeners"))
                    .isEmpty();
        }
    }

    @Test
    void aGatewayWithNoneOfItsListenersSaysSoToo() throws IOException {
        try (TestMesh mesh = new TestMesh();
                ServerSocket taken = new ServerSocket(0, 1, TestMesh.loopback())) {
            Proxy proxy = mesh.start(CertificateSource.none(), ProxyConfig.EMPTY);
            proxy.applyWhatCanBe(config("gateway:infra/edge:80", taken.getLocalPort()));
            assertThat(ready(new AdminPages(proxy, () -> TestMesh.TOLD, () -> {}))
                            .body())
                    .contains("127.0.0.1:" + taken.getLocalPort(), "listener gateway:infra/edge:80");
        }
    }

    private static Answer ready(AdminPages pages) {
        return pages.answer(Visitor.STRANGER, HttpMethod.GET, "/ready");
    }

    private static ProxyConfig config(String name, int port) {
        return TestMesh.config(List.of(new ListenerConfig(
                name,
                Direction.OUTBOUND,
                new InetSocketAddress(TestMesh.loopback(), port),
                Destinations.LISTENER,
                new Routing.ByDestination(Map.of(), Unknown.REFUSE),
                Limits.DEFAULT)));
    }
}
