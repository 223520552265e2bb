package io.parley.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.control.access.Place;
import io.parley.control.keys.SealedSecrets;
import io.parley.control.keys.SigningKeys;
import io.parley.identity.seal.MasterKey;
import io.parley.identity.token.TokenIssuer;
import io.parley.identity.token.TokenVerifier;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    @Test
    void everyPathThatIsServedIsDescribed() {
        assertThat(OpenApi.document().get("paths"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsKeys(served().toArray());
    }

    private static List<String> served() {
        ServerBuilder builder = Server.builder();
        new ApiServer(parts()).addTo(builder, Set.of("localhost"));
        return builder.build().config().serviceConfigs().stream()
                .map(service -> service.route().patternString().replaceAll(":([a-z]+)", "{$1}"))
                // Every kind's, and the description itself.
                .filter(path -> !path.startsWith("/*") && !path.equals("/openapi.json"))
                .toList();
    }

    private static ApiServer.Parts parts() {
        return new ApiServer.Parts(
                new Place.Alone(),
                new TokenIssuer(
                        () -> {
                            throw new AssertionError("no token is issued");
                        },
                        Clock.systemUTC()),
                new TokenVerifier(_ -> Optional.empty(), _ -> false, Clock.systemUTC()),
                keys(),
                ServiceCatalog.of(),
                Map.of(),
                List::of,
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                () -> true,
                Runnable::run);
    }

    private static SigningKeys keys() {
        SecureRandom random = new SecureRandom();
        MasterKey masterKey = new MasterKey(MasterKey.generate(random), random);
        return SigningKeys.open(
                new SealedSecrets(new MemoryStore(Retention.DEFAULT, Clock.systemUTC()), masterKey),
                Clock.systemUTC(),
                random);
    }
}
