package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.open;
import static io.parley.proxy.app.TestMesh.redirected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TLS that is the application's own passes unread, and is counted as such, with whom it asks for. */
class ForeignTlsTest {
    @Test
    void aClientThatAsksForTheApplicationByTlsIsCountedByWhomItAsksFor() throws IOException {
        try (TestMesh mesh = new TestMesh();
                Server server = Server.echo()) {
            Proxy proxy = mesh.start(SERVER, config(List.of(redirected(server.port(), open(Protocol.DETECT)))));
            byte[] hello = ByteBufUtil.getBytes(Hello.forName("db.example"));
            try (Client client = Client.to(proxy.address("redirected"))) {
                client.send(hello);
                assertThat(client.read(1)).hasSize(1);
            }
            String labels = "{direction=\"inbound\",peer=\"src\",tls=\"opaque\",target=\"port " + server.port()
                    + "\",sni=\"db.example\"}";
            await().until(() -> {
                String page = proxy.machinery().telemetry().render();
                return page.contains("tcp_open_total" + labels + " 1\n")
                        && page.contains("tcp_read_bytes_total" + labels + " " + hello.length + "\n");
            });
        }
    }
}
