package io.parley.xds.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.ChannelCredentials;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.grpc.GrpcTransport;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.type.ApiVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A client on a fake loop with scripted servers. After each test nothing may be left running. */
final class ClientRig implements AfterEachCallback {
    private static final AtomicInteger NEXT = new AtomicInteger();
    static final ClientSettings.Agent AGENT = new ClientSettings.Agent("parley", "test");

    final FakeLoop loop = new FakeLoop();
    private final List<ScriptedServer> servers = new ArrayList<>();
    private final List<XdsClient> clients = new ArrayList<>();

    /** A server of its own name with these features. */
    static XdsServer server(String... features) {
        return new XdsServer(
                "server-" + NEXT.incrementAndGet(),
                new ChannelCredentials.Insecure(),
                List.of(),
                Set.copyOf(Arrays.asList(features)));
    }

    static XdsServer v3(String... features) {
        List<String> all = new ArrayList<>(List.of(features));
        all.add("xds_v3");
        return server(all.toArray(String[]::new));
    }

    static Bootstrap bootstrap(XdsServer... servers) {
        return Bootstrap.of(List.of(servers), Node.newBuilder().setId("node-1").build());
    }

    ScriptedServer start(XdsServer server, ApiVersion... versions) {
        ScriptedServer started = ScriptedServer.start(server.uri(), versions);
        servers.add(started);
        return started;
    }

    XdsClient client(XdsServer... to) {
        return client(bootstrap(to), Variant.SOTW, Map.of());
    }

    XdsClient client(Bootstrap bootstrap, Variant variant, Map<String, String> environment) {
        ClientSettings settings =
                ClientSettings.of(bootstrap, environment, AGENT).with(variant);
        XdsClient client = new XdsClient(
                settings,
                server -> GrpcTransport.over(InProcessChannelBuilder.forName(server.uri())
                        .directExecutor()
                        .build()),
                loop,
                () -> Long.MIN_VALUE); // the middle: no jitter
        clients.add(client);
        return client;
    }

    <T extends com.google.protobuf.Message> Events<T> watch(XdsClient client, ProtoParser<T> parser, String name) {
        Events<T> events = new Events<>();
        client.watch(parser, name, events);
        return events;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        clients.forEach(XdsClient::close);
        assertThat(loop.pending()).as("timers left").isZero();
        servers.forEach(ScriptedServer::close);
    }
}
