package io.parley.control.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.feed.FollowUp;
import io.parley.control.feed.ModelFeed;
import io.parley.control.testing.Worlds;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class ServiceInsightsTest {
    private static final ResourceKey KEY =
            new ResourceKey(new KindId("ServiceInsight"), "default", "all-services-default");

    @Test
    void countsTheProxiesOfEachServiceAndWritesNothingTwice() {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            Worlds.resources("type: Mesh\nname: default\n"
                            + Worlds.dataplane("web-1", "10.0.0.1", "web:http")
                            + Worlds.dataplane("web-2", "10.0.0.2", "web:http")
                                    .replace("port: 8080", "port: 8080\n      state: NotReady"))
                    .forEach(resource -> store.put(resource, Expected.anything()));
            connect(store, "web-1");
            connect(store, "web-2");
            try (ModelFeed feed = ModelFeed.open(store, null)) {
                ServiceInsights insights = new ServiceInsights(store, feed, () -> true);
                insights.writeAll(feed.current());
                var written = store.find(KEY).orElseThrow();
                assertThat(written.resource().spec().json())
                        .isEqualTo("{\"services\":{\"web\":{\"status\":\"partially_degraded\",\"dataplanes\":"
                                + "{\"total\":2,\"online\":1,\"offline\":1},\"serviceType\":\"internal\","
                                + "\"protocol\":\"http1\"}}}");
                insights.writeAll(feed.current());
                assertThat(store.find(KEY).orElseThrow().revision()).isEqualTo(written.revision());
            }
        }
    }

    @Test
    void aProxyThatIsNotConnectedIsOffline() {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            Worlds.resources("type: Mesh\nname: default\n"
                            + Worlds.dataplane("web-1", "10.0.0.1", "web:http")
                            + Worlds.dataplane("web-2", "10.0.0.2", "web:http"))
                    .forEach(resource -> store.put(resource, Expected.anything()));
            connect(store, "web-2");
            try (ModelFeed feed = ModelFeed.open(store, null)) {
                new ServiceInsights(store, feed, () -> true).writeAll(feed.current());
                assertThat(store.find(KEY).orElseThrow().resource().spec().json())
                        .contains("{\"total\":2,\"online\":1,\"offline\":1}");
            }
        }
    }

    private static void connect(MemoryStore store, String name) {
        store.put(
                Resource.of(
                        new ResourceKey(new KindId("DataplaneInsight"), "default", name),
                        new Document("{\"subscriptions\":[{\"id\":\"1\"}]}")),
                Expected.anything());
    }

    @Test
    void whoDoesNotLeadWritesNothing() {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            Worlds.resources("type: Mesh\nname: default\n").forEach(each -> store.put(each, Expected.anything()));
            try (ModelFeed feed = ModelFeed.open(store, null)) {
                assertThat(new ServiceInsights(store, feed, () -> false).writeAll(feed.current()))
                        .isEqualTo(FollowUp.Outcome.AGAIN);
                assertThat(store.find(KEY)).isEmpty();
            }
        }
    }
}
