package io.parley.control.gateway;

import static io.parley.control.gateway.Stage.BASE;
import static io.parley.control.gateway.Stage.route;
import static io.parley.control.gateway.Stage.service;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Case 39: only what a change touches is done again. */
class TranslatorWorkTest {
    private static final int MANY = 50;

    private final Stage stage = new Stage(
            BASE,
            IntStream.range(0, MANY)
                    .mapToObj(i -> service("infra", "s" + i, "{port: 80}")
                            + route(
                                    "HTTPRoute",
                                    "r" + i,
                                    "hostnames: [h" + i + ".example]\nrules: [{backendRefs: [{name: s" + i
                                            + ", port: 80}]}]"))
                    .collect(Collectors.joining("\n")));

    private GatewayWork workOf(String manifests) {
        GatewayWork before = stage.work();
        stage.apply(manifests);
        return stage.work().minus(before);
    }

    @Test
    void case39_anotherProtocolOfAServiceIsWorkForItsRouteOnly() {
        GatewayWork work = workOf(service("infra", "s7", "{port: 80, appProtocol: kubernetes.io/h2c}"));

        // Its cluster, its endpoints, the listener and the table of routes.
        assertThat(work).isEqualTo(new GatewayWork(1, 1, 1, 4));
    }

    @Test
    void case39_otherEndpointsAreNoWorkForRoutesAtAll() {
        GatewayWork work = workOf(service("infra", "s7", "{port: 80}").replace("10.0.0.1", "10.0.0.9"));

        assertThat(work).isEqualTo(new GatewayWork(1, 1, 0, 1));
        assertThat(stage.endpoints("infra/s7:80|http1").toString()).contains("10.0.0.9");
        assertThat(stage.endpoints("infra/s8:80|http1").toString()).contains("10.0.0.1");
    }

    @Test
    void case39_aServiceThatNobodyUsesIsNoWork() {
        GatewayWork work = workOf(service("infra", "unused", "{port: 80}"));

        assertThat(work).isEqualTo(new GatewayWork(1, 0, 0, 0));
    }

    @Test
    void aStatusThatIsWrittenIsNoChange() {
        GatewayWork work = workOf(
                route("HTTPRoute", "r1", "hostnames: [h1.example]\nrules: [{backendRefs: [{name: s1, port: 80}]}]")
                        + "status: {parents: []}\n");

        assertThat(work).isEqualTo(new GatewayWork(0, 0, 0, 0));
    }
}
