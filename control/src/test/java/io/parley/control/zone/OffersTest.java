package io.parley.control.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.testing.Worlds;
import org.junit.jupiter.api.Test;

class OffersTest {
    private static final String ENCRYPTED = """
        type: Mesh
        name: default
        mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
        """;

    private static final String DATABASE = """
        ---
        type: Dataplane
        mesh: default
        name: db-1
        annotations: {config.linkerd.io/opaque-ports: "5000"}
        networking:
          address: 10.0.0.1
          transparentProxying: {redirectPortInbound: 15006, redirectPortOutbound: 15001}
          inbound: [{port: 5000, tags: {kuma.io/service: db}}]
        """;

    private static final String WEB = """
        ---
        type: Dataplane
        mesh: default
        name: %1$s
        networking:
          address: 10.0.0.2
          inbound: [{port: 80, state: %2$s, tags: {kuma.io/service: web, kuma.io/protocol: http, version: v1}}]
        """;

    @Test
    void tellsWhatIsDeclaredHereByWhateverMeans() {
        assertThat(offers(ENCRYPTED + DATABASE)).isEqualTo("""
            [{"tags":{"kuma.io/protocol":"tcp","kuma.io/service":"db","kuma.io/zone":"west","parley.io/port":"5000"},\
            "instances":1,"mesh":"default"}]\
            """);
    }

    @Test
    void countsInstancesThatAreReadyAndAlike() {
        String three =
                WEB.formatted("web-1", "Ready") + WEB.formatted("web-2", "Ready") + WEB.formatted("web-3", "NotReady");
        assertThat(offers(ENCRYPTED + three)).isEqualTo("""
            [{"tags":{"kuma.io/protocol":"http","kuma.io/service":"web","kuma.io/zone":"west","version":"v1"},\
            "instances":2,"mesh":"default"}]\
            """);
    }

    @Test
    void offersNothingThatIsNotEncrypted() {
        assertThat(offers("{type: Mesh, name: default}\n" + DATABASE)).isEqualTo("[]");
    }

    /** Who is asked for by header must be the same at all of them: the ingress picks any. */
    @Test
    void namesNoPortWhereProxiesDiffer() {
        String other = DATABASE.replace("db-1", "db-2").replace("5000", "5001");
        assertThat(offers(ENCRYPTED + DATABASE + other)).doesNotContain("parley.io/port");
    }

    private static String offers(String yaml) {
        return Offers.of(Worlds.model(yaml), "west").toString();
    }
}
