package io.parley.proxy.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers are those of Envoy's documentation of x-forwarded-for. */
class ProvenanceTest {
    private static final String LIST = "203.0.113.128, 203.0.113.10, 203.0.113.1";
    private static final Provenance PEER =
            Provenance.of(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.5"), 4_000), "http");

    private record Request(Map<String, String> fields) implements RequestView {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public Provenance provenance() {
            return PEER;
        }

        @Override
        public String authority() {
            return "";
        }

        @Override
        public String target() {
            return "/";
        }

        @Override
        public @Nullable String field(String name) {
            return fields.get(name);
        }
    }

    private static Provenance behind(int trusted, String list) {
        return PEER.behind(trusted, new Request(Map.of("x-forwarded-for", list, "x-forwarded-proto", "https")));
    }

    @ParameterizedTest
    @CsvSource({"1, 203.0.113.1", "2, 203.0.113.10", "3, 203.0.113.128"})
    void theClientIsTheOneThatTheFirstTrustedProxyWasCalledBy(int trusted, String client) {
        Provenance found = behind(trusted, LIST);
        assertThat(found.client()).isEqualTo(new InetSocketAddress(InetAddress.ofLiteral(client), 0));
        assertThat(found.peer()).isEqualTo(PEER.peer());
        assertThat(found.scheme()).isEqualTo("https");
        assertThat(found.addresses()).isEqualTo(LIST + ", 192.0.2.5");
    }

    @Test
    void nobodyIsTrustedUnlessItIsSaid() {
        assertThat(behind(0, LIST)).isEqualTo(PEER);
        assertThat(PEER.addresses()).isEqualTo("192.0.2.5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"203.0.113.1", "", ",", ",,", "unknown, 203.0.113.1", "1.2.3.4:80, 203.0.113.1", " , 203.0.113.1"
            })
    void whatHasNotComeByThatManyIsNotBelievedAtAll(String list) {
        assertThat(behind(2, list)).isEqualTo(PEER);
    }

    @Test
    void withoutAListTheSchemeIsNotBelievedEither() {
        assertThat(PEER.behind(1, new Request(Map.of("x-forwarded-proto", "https"))))
                .isEqualTo(PEER);
    }

    @Test
    void aSchemeIsOneOfTwo() {
        var odd = new Request(Map.of("x-forwarded-for", LIST, "x-forwarded-proto", "javascript"));
        assertThat(PEER.behind(1, odd).scheme()).isEqualTo("http");
    }

    @Test
    void addressesOfSixAreAddresses() {
        assertThat(behind(2, "2001:db8::1,10.0.0.1").client().getAddress())
                .isEqualTo(InetAddress.ofLiteral("2001:db8::1"));
    }
}
