package io.parley.proxy.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.PathHandling;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction.Respond;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A request that comes while its routes change is one of those before or of those after. */
class ChangingRoutesTest {
    private static final int REQUESTS = 40_000;
    private static final int AT_A_TIME = 50;

    private static Route route(String path, int status, String text) {
        return new Route(
                path,
                new RequestMatch(new PathMatch.Prefix(path), null, List.of(), List.of(), RequestMatch.ALL),
                new Respond(status, text),
                FieldEdits.NONE,
                FieldEdits.NONE,
                Policies.NONE);
    }

    private static HttpConfig config(PathHandling paths, Route... routes) {
        HttpConfig usual = HttpProxy.routed(List.of(routes));
        return new HttpConfig(
                usual.name(),
                usual.routes(),
                usual.policies(),
                usual.timeouts(),
                usual.limits(),
                paths,
                usual.forwarding(),
                usual.trustedHops(),
                usual.telling());
    }

    /** The one tells nobody's path from another's, and need not look at it; the other denies some. */
    @Test
    void aPathIsReadAsTheRoutesWantItThatAreLookedAt() throws Exception {
        ClusterConfig nobody = HttpProxy.cluster("app", Version.HTTP1, 1);
        HttpConfig one = config(PathHandling.UNTOUCHED, route("/", 200, "one"));
        HttpConfig other =
                config(PathHandling.NORMALISED, route("/admin", 403, "denied"), route("/", 200, "denied to nobody"));
        AtomicBoolean over = new AtomicBoolean();
        try (HttpProxy proxy = HttpProxy.with(one, nobody);
                FramePeer client = FramePeer.client(proxy.address())) {
            Thread changing = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    proxy.apply(other, nobody);
                    proxy.apply(one, nobody);
                }
            });
            try {
                ask(client);
            } finally {
                over.set(true);
                changing.join();
            }
        }
    }

    private static void ask(FramePeer client) throws IOException {
        for (int first = 1; first < 2 * REQUESTS; first += 2 * AT_A_TIME) {
            for (int stream = first; stream < first + 2 * AT_A_TIME; stream += 2) {
                client.get(stream, "/public/../admin");
            }
            for (int stream = first; stream < first + 2 * AT_A_TIME; stream += 2) {
                assertThat(client.message(stream).text()).isIn("one", "denied");
                client.window(0, 100);
            }
        }
    }
}
