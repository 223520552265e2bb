package io.parley.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests a MeshHTTPRoute takes, and what each of its filters does to them. */
class HttpRouteTrafficTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String MARK = "x-route";

    @SuppressWarnings("NullAway.Init")
    private static Shop shop;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException {
        shop = new Shop(folder);
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static void forget() {
        shop.first().received.clear();
        shop.second().received.clear();
    }

    /** One rule: requests that match, and what is done with them. */
    private static Policy rule(String match, String then) {
        return rules("- {matches: [%s], default: %s}".formatted(match, then));
    }

    private static Policy rules(String rules) {
        return shop.apply("MeshHTTPRoute", """
            targetRef: {kind: Mesh}
            to:
              - targetRef: {kind: MeshService, name: orders}
                rules:
            %s
            """.formatted(rules.indent(6)));
    }

    private static String marking(String value) {
        return "{filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: %s, value: %s}]}}]}"
                .formatted(MARK, value);
    }

    private static Optional<String> mark(HttpResponse<String> answer) {
        return answer.headers().firstValue(MARK);
    }

    /** What both of orders received since it was forgotten. */
    private static Stream<AggregatedHttpRequest> received() {
        return Stream.concat(shop.first().received.stream(), shop.second().received.stream());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{path: {type: Exact, value: /a}} | GET /a | GET /a/b",
                "{path: {type: PathPrefix, value: /a}} | GET /a/b | GET /ab",
                "{path: {type: RegularExpression, value: '/a[0-9]+'}} | GET /a12 | GET /ab",
                "{method: POST} | POST /a | GET /a",
                "{queryParams: [{type: Exact, name: q, value: '1'}]} | GET /a?q=1 | GET /a?q=2",
                "{queryParams: [{type: RegularExpression, name: q, value: '[0-9]+'}]} | GET /a?q=12 | GET /a?q=b",
            })
    void takesTheRequestsThatMatchAndNoOthers(String match, String meant, String other) {
        try (Policy _ = rule(match, marking("taken"))) {
            await().atMost(PATIENCE).until(() -> mark(ask(meant)).isPresent());
            assertThat(mark(ask(other))).isEmpty();
        }
        // The next one is not to find it in force.
        await().atMost(PATIENCE).until(() -> mark(ask(meant)).isEmpty());
    }

    @Test
    void aPerCentSignIsNothingElse() {
        try (Policy _ = rule("{method: GET}", marking("'%DATE% 5% %%'"))) {
            await().atMost(PATIENCE).until(() -> mark(ask("GET /")).equals(Optional.of("%DATE% 5% %%")));
        }
        await().atMost(PATIENCE).until(() -> mark(ask("GET /")).isEmpty());
    }

    private static HttpResponse<String> ask(String methodAndPath) {
        String[] parts = methodAndPath.split(" ", 2);
        return shop.ask(parts[0], parts[1]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: Exact, name: x-kind, value: abc}",
                "{type: Prefix, name: x-kind, value: ab}",
                "{type: RegularExpression, name: x-kind, value: 'a[a-z]+'}",
                "{type: Present, name: x-kind}"
            })
    void takesTheRequestsWithAField(String field) {
        try (Policy _ = rule("{headers: [%s]}".formatted(field), marking("taken"))) {
            await().atMost(PATIENCE)
                    .until(() -> mark(shop.get("/", "x-kind", "abc")).isPresent());
            assertThat(mark(shop.get("/"))).isEmpty();
        }
        await().atMost(PATIENCE)
                .until(() -> mark(shop.get("/", "x-kind", "abc")).isEmpty());
    }

    @Test
    void theMostSpecificRuleTakesARequestWhateverTheOrder() {
        try (Policy _ = rules("""
            - {matches: [{path: {type: PathPrefix, value: /}}], default: %s}
            - {matches: [{path: {type: PathPrefix, value: /a}}], default: %s}
            - {matches: [{path: {type: Exact, value: /a/b}}], default: %s}
            """.formatted(marking("any"), marking("prefix"), marking("exact")))) {
            await().atMost(PATIENCE).until(() -> mark(shop.get("/")).equals(Optional.of("any")));
            assertThat(mark(shop.get("/a/b"))).contains("exact");
            assertThat(mark(shop.get("/a/c"))).contains("prefix");
        }
        await().atMost(PATIENCE).until(() -> mark(shop.get("/")).isEmpty());
    }

    @Test
    void sharesRequestsByWeight() {
        for (Orders all : new Orders[] {shop.first(), shop.second()}) {
            try (Policy _ = rule("{path: {type: PathPrefix, value: /}}", """
                {backendRefs: [{kind: MeshServiceSubset, name: orders, tags: {version: v1}, weight: %d},\
                 {kind: MeshServiceSubset, name: orders, tags: {version: v2}, weight: %d}]}
                """.strip()
                    .formatted(all == shop.first() ? 1 : 0, all == shop.second() ? 1 : 0))) {
                await().atMost(PATIENCE).until(() -> crowd().equals(Set.of(all.name())));
            }
        }
    }

    /** Who answers many that ask at the same time, so that the balancer would use both. */
    private static Set<String> crowd() {
        Set<String> names = ConcurrentHashMap.newKeySet();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                callers.execute(() -> names.add(shop.get("/pause").body()));
            }
        }
        return names;
    }

    @Test
    void changesTheFieldsOfRequests() {
        try (Policy _ = rule("{path: {type: PathPrefix, value: /fields}}", """
            {filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: x-set, value: new}],\
             add: [{name: x-added, value: more}], remove: [x-removed]}}]}
            """.strip())) {
            await().atMost(PATIENCE).until(() -> {
                forget();
                shop.get("/fields", "x-set", "old", "x-added", "one", "x-removed", "gone");
                return received()
                        .anyMatch(request -> request.headers().getAll("x-set").contains("new"));
            });
            var headers = received().findFirst().orElseThrow().headers();
            assertThat(headers.getAll("x-set")).containsExactly("new");
            assertThat(headers.getAll("x-added")).containsExactly("one", "more");
            assertThat(headers.contains("x-removed")).isFalse();
        }
    }

    @Test
    void changesTheFieldsOfAnswers() {
        assertThat(shop.get("/").headers().firstValue("content-type")).isPresent();
        try (Policy _ = rule("{path: {type: PathPrefix, value: /}}", """
            {filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: x-set, value: new}],\
             add: [{name: x-added, value: more}], remove: [content-type]}}]}
            """.strip())) {
            await().atMost(PATIENCE)
                    .until(() -> shop.get("/").headers().firstValue("x-set").isPresent());
            var headers = shop.get("/").headers();
            assertThat(headers.allValues("x-set")).containsExactly("new");
            assertThat(headers.allValues("x-added")).containsExactly("more");
            assertThat(headers.firstValue("content-type")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{path: {type: ReplacePrefixMatch, replacePrefixMatch: /new}} | /new/item",
                "{path: {type: ReplaceFullPath, replaceFullPath: /whole}} | /whole",
                "{hostname: other.example} | other.example"
            })
    void rewritesWhereARequestGoes(String rewrite, String seen) {
        try (Policy _ = rule(
                "{path: {type: PathPrefix, value: /old}}",
                "{filters: [{type: URLRewrite, urlRewrite: %s}]}".formatted(rewrite))) {
            await().atMost(PATIENCE).until(() -> {
                forget();
                shop.get("/old/item");
                return received().anyMatch(request -> seen.equals(request.path()) || seen.equals(request.authority()));
            });
        }
    }

    @Test
    void redirectsWithEachPartOfTheAddress() {
        try (Policy _ = rule("{path: {type: PathPrefix, value: /old}}", """
            {filters: [{type: RequestRedirect, requestRedirect: {scheme: https, hostname: other.example, port: 8443,\
             statusCode: 307, path: {type: ReplacePrefixMatch, replacePrefixMatch: /new}}}]}
            """.strip())) {
            shop.awaitStatus("/old/item", 307);
            assertThat(shop.get("/old/item").headers().firstValue("location"))
                    .contains("https://other.example:8443/new/item");
            assertThat(shop.status("/other")).isEqualTo(200);
        }
    }

    @Test
    void mirrorsRequestsWhoseAnswersNobodySees() {
        try (Policy _ = rule("{path: {type: PathPrefix, value: /seen}}", """
            {filters: [{type: RequestMirror, requestMirror: {percentage: 100,\
             backendRef: {kind: MeshServiceSubset, name: orders, tags: {version: v2}}}}],\
             backendRefs: [{kind: MeshServiceSubset, name: orders, tags: {version: v1}, weight: 1}]}
            """.strip())) {
            await().atMost(PATIENCE).until(HttpRouteTrafficTest::isMirrored);
        }
    }

    /** A few requests that the first answers reach the second, too. */
    private static boolean isMirrored() {
        forget();
        return IntStream.range(0, 5)
                        .allMatch(_ ->
                                shop.get("/seen").body().equals(shop.first().name()))
                && !shop.second().received.isEmpty();
    }
}
