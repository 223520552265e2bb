package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.cluster;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.loopback;
import static io.parley.proxy.app.TestMesh.outbound;
import static io.parley.proxy.app.TestMesh.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.agreement.port.PortList;
import io.parley.proxy.Direction;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.intercept.Interception;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.Session;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a connection goes, by what was dialled and by what is there. */
class DestinationCasesTest {
    private final TestMesh mesh = new TestMesh();

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void case37_anEndpointOutsideTheMeshIsDialledOnItsOwnPortInClear() throws IOException {
        dialsInClear();
    }

    private void dialsInClear() throws IOException {
        try (Server server = Server.echo()) {
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(List.of(outbound("db", declared(Protocol.OPAQUE))), cluster("db", plain(server.port()))));
            exchange(proxy.address("outbound"));
            Session session = mesh.over(Direction.OUTBOUND);
            assertThat(mesh.decision(Direction.OUTBOUND)).isEqualTo("opaque by declared");
            assertThat(Objects.requireNonNull(session.choice()).endpoint()).isEqualTo(plain(server.port()));
        }
    }

    /** {@link SkippedPortsTest} shows that the kernel does so. */
    @Test
    void case38_aPortThatIsSkippedReachesNoProxyAndIsDialledInClear() throws IOException {
        Interception rules = new Interception(
                4143,
                4140,
                2102,
                PortList.parse("4191,3306").ports(),
                PortList.parse("").ports());
        List<String> commands = rules.commands("iptables");
        int skipped = commands.indexOf(
                "iptables -w -t nat -A PROXY_INIT_REDIRECT -p tcp -m multiport --dports 3306,4191 -j RETURN");
        int redirected =
                commands.indexOf("iptables -w -t nat -A PROXY_INIT_REDIRECT -p tcp -j REDIRECT --to-ports 4143");
        assertThat(skipped).isNotNegative().isLessThan(redirected);
        dialsInClear();
    }

    @Test
    void case39_aServiceAddressIsTheServiceAndAPodAddressIsThatPod() throws IOException {
        try (Server one = Server.greeting("1");
                Server other = Server.greeting("2")) {
            InetSocketAddress service = new InetSocketAddress("192.0.2.1", 3306);
            InetSocketAddress pod = new InetSocketAddress("192.0.2.9", 3306);
            ListenerConfig listener = new ListenerConfig(
                    "outbound",
                    Direction.OUTBOUND,
                    new InetSocketAddress(loopback(), 0),
                    Destinations.PROXY_PROTOCOL,
                    new Routing.ByDestination(
                            Map.of(
                                    service, new OutboundTarget("db", declared(Protocol.OPAQUE), "db"),
                                    pod, new OutboundTarget("db-1", declared(Protocol.OPAQUE), "db-1")),
                            Routing.Unknown.REFUSE),
                    Limits.DEFAULT);
            Proxy proxy = mesh.start(
                    CLIENT,
                    config(List.of(listener), cluster("db", plain(one.port())), cluster("db-1", plain(other.port()))));
            assertThat(greeting(proxy, service)).isEqualTo("1");
            assertThat(greeting(proxy, pod)).isEqualTo("2");
            assertThat(greeting(proxy, new InetSocketAddress("192.0.2.10", 3306)))
                    .isEmpty();
        }
    }

    private static String greeting(Proxy proxy, InetSocketAddress dialled) throws IOException {
        try (Client client = Client.to(proxy.address("outbound"))) {
            client.send("PROXY TCP4 127.0.0.1 " + dialled.getAddress().getHostAddress() + " 5555 3306\r\n");
            return client.read(1);
        } catch (java.net.SocketException e) {
            return "";
        }
    }

    private static void exchange(InetSocketAddress address) throws IOException {
        try (Client client = Client.to(address)) {
            assertThat(client.send("hello").read(5)).isEqualTo("hello");
        }
    }
}
