package io.parley.control.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.control.admission.Admission;
import io.parley.control.app.Mode;
import io.parley.control.gateway.model.Name;
import io.parley.control.node.NodeKey;
import io.parley.control.testing.Worlds;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.StreamInfo;
import io.parley.xds.server.StreamListener;
import io.parley.xds.server.session.Rejection;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code Programmed} of a Gateway and its listeners says what its proxies have said, of the generation that they said it of. */
class ProgrammedTest {
    private static final Name EDGE = new Name("infra", "edge");
    private static final String ROUTE =
            Stage.route("HTTPRoute", "r", "rules: [{backendRefs: [{name: one, port: 8080}]}]");
    private static final ResourceKey GATEWAY_KEY =
            new ResourceKey(new KindId(Stage.GROUP + "Gateway"), "infra", "edge");

    /** Places of conditions in the Gateway's list. */
    private static final int ACCEPTED = 0;

    private static final int PROGRAMMED = 1;
    private static final List<ResourceType> TYPES =
            List.of(ResourceType.CLUSTER, ResourceType.ENDPOINT, ResourceType.LISTENER, ResourceType.ROUTE);

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

    private String programmed() {
        return condition(GATEWAY_KEY, "/conditions", "Programmed");
    }

    private String listenerProgrammed() {
        return condition(GATEWAY_KEY, "/listeners/0/conditions", "Programmed");
    }

    private int observed(int condition) {
        return status(GATEWAY_KEY)
                .at("/conditions/" + condition + "/observedGeneration")
                .asInt();
    }

    private FakeProxy served() {
        apply(Stage.BASE);
        await().until(() -> gateways.of(EDGE).current().isPresent());
        FakeProxy proxy = FakeProxy.joins(gateways, EDGE);
        proxy.takesAll();
        await().until(() -> programmed().equals("True Programmed"));
        return proxy;
    }

    /** Something else about the Gateway is written, and with it whatever is known of its proxies. */
    private void somethingElseIsTold() {
        apply(ROUTE);
        await().until(() ->
                status(GATEWAY_KEY).at("/listeners/0/attachedRoutes").asInt() == 1);
    }

    private void edit() {
        apply(Stage.BASE.replace("name: web, port: 80", "name: web, port: 81"));
        await().until(() -> observed(ACCEPTED) == 2);
    }

    @Test
    void itSaysWhetherAProxyIsThere() {
        apply(Stage.BASE);
        await().until(() -> programmed().equals("False Pending"));

        FakeProxy proxy = FakeProxy.joins(gateways, EDGE);
        proxy.takesAll();
        await().until(() -> programmed().equals("True Programmed"));

        proxy.leaves();
        somethingElseIsTold();
        assertThat(programmed()).isEqualTo("True Programmed");
        now.updateAndGet(time -> time.plusSeconds(10));
        await().until(() -> programmed().equals("False Pending"));
    }

    @Test
    void aProxyThatHasSaidNothingYetIsNotTakenForOneThatServes() {
        apply(Stage.BASE);
        await().until(() -> programmed().equals("False Pending"));

        FakeProxy proxy = FakeProxy.joins(gateways, EDGE);
        proxy.takes(ResourceType.LISTENER);
        proxy.reports();
        somethingElseIsTold();
        assertThat(programmed()).as("it may yet refuse its routes").isEqualTo("False Pending");

        proxy.takesAll();
        await().until(() -> programmed().equals("True Programmed"));
    }

    @Test
    void aProxyThatRefusesDoesSoAlsoWhenItComesBack() {
        FakeProxy proxy = served();
        proxy.refuses(ResourceType.ROUTE, "no such thing");
        await().until(() -> programmed().equals("False Invalid"));
        proxy.leaves();

        FakeProxy again = FakeProxy.joins(gateways, EDGE);
        again.takes(ResourceType.LISTENER);
        somethingElseIsTold();
        assertThat(programmed()).isEqualTo("False Invalid");

        again.refuses(ResourceType.ROUTE, "no such thing");
        again.takesAll();
        await().until(() -> programmed().equals("True Programmed"));
    }

    @Test
    void aPortThatIsTakenIsSoAlsoWhenTheProxyComesBack() {
        FakeProxy proxy = served();
        proxy.reports(proxy.cannotListen());
        await().until(() -> listenerProgrammed().equals("False PortUnavailable"));
        proxy.leaves();

        FakeProxy again = FakeProxy.joins(gateways, EDGE);
        TYPES.forEach(again::takes);
        somethingElseIsTold();
        assertThat(listenerProgrammed()).isEqualTo("False PortUnavailable");

        again.reports();
        await().until(() -> listenerProgrammed().equals("True Programmed"));
    }

    @Test
    void whatIsInTheWayOfAGatewayIsShown() {
        apply(Stage.BASE);
        await().until(() -> programmed().equals("False Pending"));
        assertThat(problem()).startsWith("Programmed False (Pending): no proxy has joined for it");

        FakeProxy proxy = served();
        assertThat(problem()).isEmpty();

        proxy.reports(proxy.cannotListen());
        await().until(() -> listenerProgrammed().equals("False PortUnavailable"));
        assertThat(problem()).startsWith("Programmed False (PortUnavailable): ");
    }

    @Test
    void aGatewayOfNobodysClassSaysSo() {
        apply(Stage.BASE.replace("gatewayClassName: parley", "gatewayClassName: other"));

        await().until(() ->
                problems().equals(List.of("there is no GatewayClass other of parley.io/gateway-controller")));
    }

    private String problem() {
        return problems().getFirst();
    }

    private List<String> problems() {
        return gateways.inspect().stream().map(GatewayLine::problem).toList();
    }

    @Test
    void aProxyThatDoesNotReportIsNotWaitedForLong() {
        apply(Stage.BASE);
        await().until(() -> programmed().equals("False Pending"));
        FakeProxy proxy = FakeProxy.joins(gateways, EDGE);
        TYPES.forEach(proxy::takes);

        now.updateAndGet(time -> time.plusSeconds(6));

        await().until(() -> programmed().equals("True Programmed"));
    }

    @Test
    void ofANewGenerationItIsSaidWhenAProxyHasIt() {
        FakeProxy proxy = served();

        edit();
        assertThat(programmed()).isEqualTo("True Programmed");
        assertThat(observed(PROGRAMMED)).as("no proxy has the second one").isEqualTo(1);

        proxy.takesAll();
        await().until(() -> observed(PROGRAMMED) == 2);
        assertThat(programmed()).isEqualTo("True Programmed");
    }

    @Test
    void ofANewGenerationThatIsRefusedItIsNeverTrue() {
        FakeProxy proxy = served();

        edit();
        proxy.refuses(ResourceType.LISTENER, "no such thing");

        await().until(() -> observed(PROGRAMMED) == 2);
        assertThat(programmed()).isEqualTo("False Invalid");
    }

    @Test
    void case38_aRestartKeepsWhatWasSaidOfProxiesUntilTheyAreBack() {
        var _ = served();
        gateways.close();

        gateways = open();
        somethingElseIsTold();
        assertThat(programmed()).isEqualTo("True Programmed");
        assertThat(listenerProgrammed()).isEqualTo("True Programmed");

        now.updateAndGet(time -> time.plusSeconds(60));
        await().until(() -> programmed().equals("False Pending"));
    }

    @Test
    void case38_aRestartKeepsWhatAProxyRefused() {
        served().refuses(ResourceType.ROUTE, "no such thing");
        await().until(() -> programmed().equals("False Invalid"));
        gateways.close();

        gateways = open();
        somethingElseIsTold();

        assertThat(programmed()).isEqualTo("False Invalid");
    }

    @Test
    void afterARestartNothingIsKeptOfAGenerationThatIsGone() {
        var _ = served();
        gateways.close();

        gateways = open();
        edit();

        assertThat(observed(PROGRAMMED)).isEqualTo(2);
        assertThat(programmed()).isEqualTo("False Pending");
        assertThat(listenerProgrammed()).isEqualTo("False Pending");
        FakeProxy.joins(gateways, EDGE).takesAll();
        await().until(() -> programmed().equals("True Programmed"));
    }

    @Test
    void aProxyThatIsToOpenNothingIsNotWaitedFor() {
        apply(Stage.BASE.replace("protocol: HTTP}", "protocol: TCP}"));
        await().until(() -> gateways.of(EDGE).current().isPresent());
        assertThat(gateways.of(EDGE)
                        .current()
                        .orElseThrow()
                        .resources(ResourceType.LISTENER)
                        .size())
                .isZero();

        FakeProxy.joins(gateways, EDGE).takesAll();

        await().until(() -> programmed().equals("True Programmed"));
    }

    @Test
    void whatXdsClientsTakeAndRejectCountsToo() {
        apply(Stage.BASE);
        await().until(() -> programmed().equals("False Pending"));
        NodeKey node = NodeKey.ofGateway("infra", "edge");
        StreamListener streams = gateways.reports().streams(_ -> Optional.of(node));
        NodeIdentity who = NodeIdentity.of(Node.getDefaultInstance(), ApiVersion.V3, Optional.empty());
        StreamInfo stream =
                new StreamInfo(1, "envoy.service.listener.v3.ListenerDiscoveryService/StreamListeners", who);
        StreamInfo other = new StreamInfo(2, "envoy.service.cluster.v3.ClusterDiscoveryService/StreamClusters", who);
        String listeners = ResourceType.LISTENER.url(ApiVersion.V3);

        streams.opened(other);
        gateways.of(EDGE).watch(_ -> {});
        somethingElseIsTold();
        assertThat(programmed()).as("nobody has asked for listeners").isEqualTo("False Pending");
        streams.opened(stream);

        String first = listenersVersion();
        streams.acknowledged(stream, listeners, first, null);
        await().until(() -> programmed().equals("True Programmed"));

        edit();
        String second = listenersVersion();
        streams.acknowledged(stream, listeners, first, null);
        theRouteGoes();
        assertThat(observed(PROGRAMMED))
                .as("an answer to the ports of before, which was on its way")
                .isEqualTo(1);
        streams.acknowledged(stream, listeners, second, null);
        await().until(() -> observed(PROGRAMMED) == 2);

        streams.rejected(stream, listeners, new Rejection(second, first, 3, "no such thing"));
        await().until(() -> programmed().equals("False Invalid"));
    }

    private String listenersVersion() {
        return gateways.of(EDGE)
                .current()
                .orElseThrow()
                .resources(ResourceType.LISTENER)
                .version();
    }

    private void theRouteGoes() {
        store.delete(new ResourceKey(new KindId(Stage.GROUP + "HTTPRoute"), "infra", "r"), Expected.anything());
        await().until(() ->
                status(GATEWAY_KEY).at("/listeners/0/attachedRoutes").asInt() == 0);
    }
}
