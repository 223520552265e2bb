package io.parley.control.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.control.admission.Admission;
import io.parley.control.app.Mode;
import io.parley.control.gateway.model.Name;
import io.parley.control.testing.Worlds;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.Stored;
import io.parley.store.memory.MemoryStore;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Gateways on a store: what is stored is followed, and what is found out is stored. */
class GatewaysTest {
    private static final Name EDGE = new Name("infra", "edge");
    private static final String ROUTE =
            Stage.route("HTTPRoute", "r", "rules: [{backendRefs: [{name: one, port: 8080}]}]");
    private static final ResourceKey ROUTE_KEY = new ResourceKey(new KindId(Stage.GROUP + "HTTPRoute"), "infra", "r");
    private static final ResourceKey GATEWAY_KEY =
            new ResourceKey(new KindId(Stage.GROUP + "Gateway"), "infra", "edge");

    private final MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private Gateways gateways = open();

    private Gateways open() {
        return Gateways.open(store, now::get, () -> true);
    }

    @AfterEach
    void close() {
        gateways.close();
        store.close();
    }

    private void apply(String yaml) {
        Admission admission = new Admission(store, new Mode.Standalone().place());
        for (Resource resource : Worlds.resources(yaml)) {
            admission.put(resource, Expected.anything());
        }
    }

    private JsonNode status(ResourceKey key) {
        Document status = store.find(key).orElseThrow().resource().status();
        return (status == null ? Document.EMPTY : status).tree();
    }

    private String condition(ResourceKey key, String path, String type) {
        for (JsonNode each : status(key).at(path)) {
            if (each.path("type").asText().equals(type)) {
                return each.path("status").asText() + " " + each.path("reason").asText();
            }
        }
        return "";
    }

    private void awaitRoute(String type, String condition) {
        await().until(() -> condition(ROUTE_KEY, "/parents/0/conditions", type).equals(condition));
    }

    @Test
    void statusesAreWrittenAndDoNotCountAsChanges() {
        apply(Stage.BASE);
        apply(ROUTE);
        awaitRoute("Accepted", "True Accepted");

        Stored route = store.find(ROUTE_KEY).orElseThrow();
        assertThat(route.generation()).isEqualTo(1);
        assertThat(gateways.of(EDGE).current()).isPresent();
    }

    @Test
    void case38_aRestartWritesNothing() {
        apply(Stage.BASE);
        apply(ROUTE);
        awaitRoute("ResolvedRefs", "True ResolvedRefs");
        // The last that is told: what was not written by the end is written after the restart.
        await().until(() ->
                status(GATEWAY_KEY).at("/listeners/0/attachedRoutes").asInt() == 1);
        gateways.close();
        var revision = store.revision();

        gateways = open();
        apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: mark, namespace: infra}}");
        await().until(() -> gateways.work().steps() >= 2);

        // The mark above, and nothing of ours.
        assertThat(store.revision().number()).isEqualTo(revision.number() + 1);
    }

    @Test
    void observedGenerationFollowsTheSpec() {
        apply(Stage.BASE);
        apply(ROUTE);
        awaitRoute("Accepted", "True Accepted");
        apply(ROUTE.replace("8080", "8081"));
        awaitRoute("ResolvedRefs", "False BackendNotFound");

        assertThat(status(ROUTE_KEY)
                        .at("/parents/0/conditions/0/observedGeneration")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void statusesSurviveAWriterWhoWasFaster() {
        apply(Stage.BASE);
        apply(ROUTE);
        for (int round = 0; round < 50; round++) {
            apply(ROUTE.replace("8080", round % 2 == 0 ? "8081" : "8080"));
        }
        long generation = store.find(ROUTE_KEY).orElseThrow().generation();
        await().until(() -> status(ROUTE_KEY)
                        .at("/parents/0/conditions/0/observedGeneration")
                        .asLong()
                == generation);
        assertThat(condition(ROUTE_KEY, "/parents/0/conditions", "ResolvedRefs"))
                .isEqualTo("True ResolvedRefs");
    }

    @Test
    void aGatewayThatIsGoneIsWithdrawn() {
        apply(Stage.BASE);
        await().until(() -> gateways.of(EDGE).current().isPresent());

        store.delete(GATEWAY_KEY, Expected.anything());

        await().until(() -> gateways.of(EDGE).current().orElseThrow().byType().isEmpty());
    }
}
