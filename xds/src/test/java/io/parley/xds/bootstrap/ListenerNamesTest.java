package io.parley.xds.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Under which names listeners are asked for: gRPC A27, A36 and A47. */
class ListenerNamesTest {
    private static final String FEDERATED = "xdstp://east/envoy.config.listener.v3.Listener/";

    @Test
    void aPlainTemplateIsFilledAsItIs() {
        Bootstrap bootstrap = bootstrap("grpc/server?xds.resource.listening_address=%s", "%s");

        assertThat(bootstrap.serverListener("[::]:8080"))
                .contains("grpc/server?xds.resource.listening_address=[::]:8080");
        assertThat(bootstrap.clientListener("", "shop:80")).contains("shop:80");
        assertThat(bootstrap.clientListener("", "a b/c")).contains("a b/c");
    }

    @Test
    void inAFederatedTemplateItIsPercentEncoded() {
        Bootstrap bootstrap = bootstrap(FEDERATED + "server/%s?b=1&a=2", FEDERATED + "client/%s");

        assertThat(bootstrap.serverListener("[::]:8080")).contains(FEDERATED + "server/%5B::%5D:8080?a=2&b=1");
        assertThat(bootstrap.clientListener("", "a b/c?\u00e9")).contains(FEDERATED + "client/a%20b/c%3F%C3%A9");
    }

    @Test
    void anAuthorityHasATemplateOfItsOwn() {
        Bootstrap bootstrap = bootstrap(null, "%s");

        assertThat(bootstrap.clientListener("east", "a b")).contains(FEDERATED + "a%20b");
        assertThat(bootstrap.clientListener("west", "a")).isEmpty();
        assertThat(bootstrap.serverListener("0.0.0.0:1")).isEmpty();
    }

    private static Bootstrap bootstrap(@Nullable String server, String client) {
        return new Bootstrap(
                List.of(new XdsServer("x:1", new ChannelCredentials.Insecure(), List.of(), Set.of())),
                Node.getDefaultInstance(),
                Map.of(),
                server,
                client,
                Map.of("east", new Bootstrap.Authority(FEDERATED + "%s", List.of())),
                Map.of());
    }
}
