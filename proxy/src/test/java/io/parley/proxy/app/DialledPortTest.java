package io.parley.proxy.app;

import static io.parley.proxy.app.TestMesh.CLIENT;
import static io.parley.proxy.app.TestMesh.SERVER;
import static io.parley.proxy.app.TestMesh.config;
import static io.parley.proxy.app.TestMesh.declared;
import static io.parley.proxy.app.TestMesh.inbound;
import static io.parley.proxy.app.TestMesh.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Peers;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.AccessRules.Effect;
import io.parley.proxy.http.AccessRules.Mode;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http1.RecordingServer;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.SessionProtocol;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Between proxies a connection comes to the proxy's own port, and its header says which one is meant: rules are about that. */
class DialledPortTest {
    private final TestMesh mesh = new TestMesh();
    private RecordingServer application;

    @BeforeEach
    void start() throws IOException {
        application = RecordingServer.ok();
    }

    @AfterEach
    void close() throws IOException {
        mesh.close();
        application.close();
    }

    @Test
    void aPortThatIsDeniedIsDeniedToOtherProxies() throws IOException {
        assertThat(ask(Effect.DENY, application.port())).isEqualTo("HTTP/1.1 403");
        assertThat(ask(Effect.DENY, application.port() + 1)).isEqualTo("HTTP/1.1 200");
    }

    @Test
    void aPortThatIsAllowedIsAllowedToThem() throws IOException {
        assertThat(ask(Effect.ALLOW, application.port())).isEqualTo("HTTP/1.1 200");
        assertThat(ask(Effect.ALLOW, application.port() + 1)).isEqualTo("HTTP/1.1 403");
    }

    private String ask(Effect effect, int port) throws IOException {
        AccessRules rules = new AccessRules(
                effect,
                List.of(new AccessPolicy("p", List.of(new Condition.Any()), List.of(new Condition.Port(port)))),
                Mode.ENFORCED);
        Route route = new Route(
                "r",
                RequestMatch.ANY,
                RouteAction.Forward.to(""),
                FieldEdits.NONE,
                FieldEdits.NONE,
                new Policies(null, null, Map.of("rbac", List.of(rules)), null));
        InboundPort members = new InboundPort(
                declared(Protocol.HTTP1),
                new Authorization(Strangers.REFUSED, Peers.ALL, Peers.NONE),
                HttpProxy.routed(List.of(route)));
        Proxy proxy = mesh.start(
                SERVER, config(List.of(inbound(Map.of(application.port(), members), strict(Protocol.DETECT)))));
        ConnectionHeader header = ConnectionHeader.toPort(application.port(), SessionProtocol.HTTP1);
        try (PeerProxy peer = PeerProxy.connect(
                proxy.address("inbound"),
                mesh.credentials(CLIENT),
                PeerIdentity.serverName(SERVER),
                ConnectionHeader.ALPN)) {
            return peer.send(PeerProxy.bytes(header, "GET / HTTP/1.1\r\nHost: x.example\r\n\r\n"))
                    .read(12);
        }
    }
}
