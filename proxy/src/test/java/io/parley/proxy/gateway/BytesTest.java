package io.parley.proxy.gateway;

import static io.parley.proxy.gateway.Gateway.listener;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.listener.v3.ListenerFilter;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight;
import io.envoyproxy.envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig;
import io.parley.proxy.app.Client;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.xds.Resources;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** TCP and UDP through a gateway. */
class BytesTest {
    private static final String TCP = "gateway:infra/edge:9000";
    private static final String UDP = "gateway:infra/edge:53/udp";

    private final Gateway gateway = new Gateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void tcp(Object... shares) {
        TcpProxy.WeightedCluster.Builder weighted = TcpProxy.WeightedCluster.newBuilder();
        for (int i = 0; i < shares.length; i += 2) {
            weighted.addClusters(
                    ClusterWeight.newBuilder().setName(shares[i].toString()).setWeight((Integer) shares[i + 1]));
        }
        gateway.tell(
                ResourceType.LISTENER,
                listener(TCP)
                        .setDefaultFilterChain(FilterChain.newBuilder()
                                .addFilters(Resources.filter(
                                        "tcp",
                                        TcpProxy.newBuilder()
                                                .setStatPrefix("x")
                                                .setWeightedClusters(weighted)
                                                .build())))
                        .build());
    }

    @Test
    void connectionsAreSharedOutByWeight() throws IOException {
        try (Server one = Server.greeting("one");
                Server two = Server.greeting("two")) {
            gateway.backend(Gateway.cluster("a"), one.port()).backend(Gateway.cluster("b"), two.port());
            tcp("a", 2, "b", 1);
            List<String> got = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                try (Client client = Client.to(gateway.address(TCP))) {
                    got.add(client.read(3));
                }
            }
            assertThat(got).containsExactly("one", "two", "one", "one", "two", "one");
        }
    }

    @Test
    void case18_bytesArePassedAsTheyAreWhateverIsDeclared() throws IOException {
        try (Server echo = Server.echo()) {
            gateway.backend(Gateway.h2c("h2c"), echo.port());
            tcp("h2c", 1);
            try (Client client = Client.to(gateway.address(TCP))) {
                assertThat(client.send("not HTTP").read(8)).isEqualTo("not HTTP");
            }
        }
    }

    @Test
    void aShareWithoutEndpointsIsReset() {
        gateway.backend(Gateway.cluster("empty"));
        tcp("empty", 1);
        assertThatThrownBy(() -> {
                    try (Client client = Client.to(gateway.address(TCP))) {
                        String _ = client.read(1);
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @SuppressWarnings("deprecation") // Envoy prefers a tree of matchers, which says no more than this.
    private void udp(int idleSeconds, Object... shares) {
        ListValue.Builder weighted = ListValue.newBuilder();
        for (int i = 0; i < shares.length; i += 2) {
            weighted.addValues(Value.newBuilder()
                    .setStructValue(Struct.newBuilder()
                            .putFields("name", text(shares[i].toString()))
                            .putFields(
                                    "weight",
                                    Value.newBuilder()
                                            .setNumberValue((Integer) shares[i + 1])
                                            .build())));
        }
        Struct extras = Struct.newBuilder()
                .putFields("gateway", text("infra/edge"))
                .putFields(
                        "weighted_clusters",
                        Value.newBuilder().setListValue(weighted).build())
                .build();
        Listener.Builder listener = listener(UDP)
                .setMetadata(Metadata.newBuilder().putFilterMetadata("io.parley", extras))
                .setAddress(Address.newBuilder()
                        .setSocketAddress(SocketAddress.newBuilder()
                                .setProtocol(SocketAddress.Protocol.UDP)
                                .setAddress("127.0.0.1")))
                .addListenerFilters(ListenerFilter.newBuilder()
                        .setName("envoy.filters.udp_listener.udp_proxy")
                        .setTypedConfig(Any.pack(UdpProxyConfig.newBuilder()
                                .setStatPrefix("x")
                                .setCluster(shares[0].toString())
                                .setIdleTimeout(Duration.newBuilder().setSeconds(idleSeconds))
                                .build())));
        gateway.tell(ResourceType.LISTENER, listener.build());
    }

    private static Value text(String text) {
        return Value.newBuilder().setStringValue(text).build();
    }

    /** A server that answers each datagram with its name and what came. */
    private static DatagramSocket answering(String name) throws IOException {
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(() -> {
            byte[] bytes = new byte[65_536];
            try {
                while (true) {
                    DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                    socket.receive(packet);
                    byte[] answer = (name + new String(bytes, 0, packet.getLength(), StandardCharsets.UTF_8))
                            .getBytes(StandardCharsets.UTF_8);
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                // Closed.
            }
        });
        return socket;
    }

    private static DatagramSocket client() throws IOException {
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.setSoTimeout(10_000);
        return socket;
    }

    private String ask(DatagramSocket from, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        from.send(new DatagramPacket(bytes, bytes.length, gateway.address(UDP)));
        DatagramPacket answer = new DatagramPacket(new byte[65_536], 65_536);
        from.receive(answer);
        return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
    }

    @Test
    void datagramsOfAClientGoToOneEndpointAndClientsAreSharedOutByWeight() throws IOException {
        try (DatagramSocket one = answering("one ");
                DatagramSocket two = answering("two ");
                DatagramSocket a = client();
                DatagramSocket b = client();
                DatagramSocket c = client()) {
            gateway.backend(Gateway.cluster("a"), one.getLocalPort()).backend(Gateway.cluster("b"), two.getLocalPort());
            udp(60, "a", 2, "b", 1);
            assertThat(ask(a, "1")).isEqualTo("one 1");
            assertThat(ask(b, "1")).isEqualTo("two 1");
            assertThat(ask(c, "1")).isEqualTo("one 1");
            assertThat(ask(b, "2")).isEqualTo("two 2");
            assertThat(ask(a, "x".repeat(20_000))).hasSize(20_004);
            assertThat(gateway.metrics()).contains("udp_open_sessions{listener=\"" + UDP + "\"} 3");
        }
    }

    @Test
    void aClientThatIsSilentForLongIsForgotten() throws IOException {
        try (DatagramSocket one = answering("one ");
                DatagramSocket client = client()) {
            gateway.backend(Gateway.cluster("a"), one.getLocalPort());
            udp(1, "a", 1);
            assertThat(ask(client, "1")).isEqualTo("one 1");
            Awaitility.await().until(() -> gateway.metrics().contains("udp_open_sessions{listener=\"" + UDP + "\"} 0"));
            assertThat(ask(client, "2")).isEqualTo("one 2");
        }
    }

    @Test
    void aListenerThatIsGoneHasNoSessions() throws IOException {
        try (DatagramSocket one = answering("one ");
                DatagramSocket client = client()) {
            gateway.backend(Gateway.cluster("a"), one.getLocalPort());
            udp(60, "a", 1);
            assertThat(ask(client, "1")).isEqualTo("one 1");
            assertThat(gateway.metrics()).contains("udp_open_sessions{listener=\"" + UDP + "\"} 1");
            gateway.untell(ResourceType.LISTENER, UDP);
            Awaitility.await().until(() -> gateway.metrics().contains("udp_open_sessions{listener=\"" + UDP + "\"} 0"));
        }
    }

    @Test
    void datagramsForNobodyAreDroppedAndCounted() throws IOException {
        try (DatagramSocket client = client()) {
            gateway.backend(Gateway.cluster("empty"));
            udp(60, "empty", 1);
            client.setSoTimeout(200);
            assertThatThrownBy(() -> ask(client, "1")).isInstanceOf(SocketTimeoutException.class);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(gateway.metrics())
                            .contains("udp_dropped_total{listener=\"" + UDP + "\",cause=\"no-endpoint\"} 1"));
        }
    }
}
