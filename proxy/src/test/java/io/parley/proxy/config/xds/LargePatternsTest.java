package io.parley.proxy.config.xds;

import static io.parley.proxy.config.xds.Resources.bytes;
import static io.parley.proxy.config.xds.Resources.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regular expressions that would take all memory when they are compiled are refused before, wherever they stand. */
class LargePatternsTest {
    private static final String LARGE = "((a{1,100}){1,100}){1,3}";

    private final XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});

    private Map<String, String> change(String route) {
        RouteConfiguration routes = read(
                        "name: 'r' virtual_hosts { name: 'all' domains: '*' routes { " + route + " } }",
                        RouteConfiguration.newBuilder())
                .build();
        return config.change(ResourceType.ROUTE, "1", bytes(routes), List.of());
    }

    private static String filter(String type, String content) {
        return "match { prefix: '/' } route { cluster: 'a' } typed_per_filter_config { key: 'f' value {"
                + " [type.googleapis.com/envoy.extensions.filters.http." + type + "] { " + content + " } } }";
    }

    private static String rules(String permission) {
        return filter(
                "rbac.v3.RBACPerRoute",
                "rbac { rules { policies { key: 'p' value { principals { any: true } permissions { " + permission
                        + " } } } } }");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "match.safe_regex; match { safe_regex { regex: '%s' } } route { cluster: 'a' }",
                "string_match.safe_regex; match { prefix: '/' headers { name: 'x' string_match { safe_regex { regex:"
                        + " '%s' } } } } route { cluster: 'a' }",
                "safe_regex_match; match { prefix: '/' headers { name: 'x' safe_regex_match { regex: '%s' } } } route"
                        + " { cluster: 'a' }",
                "query_parameters[0]; match { prefix: '/' query_parameters { name: 'x' string_match { safe_regex {"
                        + " regex: '%s' } } } } route { cluster: 'a' }",
                "route.regex_rewrite; match { prefix: '/' } route { cluster: 'a' regex_rewrite { pattern { regex: '%s'"
                        + " } substitution: '/' } }",
                "redirect.regex_rewrite; match { prefix: '/' } redirect { regex_rewrite { pattern { regex: '%s' }"
                        + " substitution: '/' } }",
            })
    void ofARouteAreRefused(String path, String route) {
        assertThat(change(route.formatted(LARGE)).get("r")).contains(path).contains("instructions");
        assertThat(change(route.formatted("/[a-z]{1,63}"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "header; header { name: 'x' string_match { safe_regex { regex: '%s' } } }",
                "url_path; url_path { path { safe_regex { regex: '%s' } } }"
            })
    void ofAccessRulesAreRefused(String path, String permission) {
        assertThat(change(rules(permission.formatted(LARGE))).get("r"))
                .contains(path)
                .contains("instructions");
        assertThat(change(rules(permission.formatted("/[a-z]{1,63}")))).isEmpty();
    }

    @Test
    void ofOriginsAreRefused() {
        String origin = "allow_origin_string_match { safe_regex { regex: '" + LARGE + "' } }";
        assertThat(change(filter("cors.v3.CorsPolicy", origin)).get("r"))
                .contains("allow_origin_string_match")
                .contains("instructions");
    }

    /** What is compared without regard to capitals becomes an expression, too. */
    @ParameterizedTest
    @CsvSource({"prefix", "suffix", "contains"})
    void madeOfLongTextsAreRefused(String kind) {
        String route = "match { prefix: '/' headers { name: 'x' string_match { ignore_case: true " + kind + ": '"
                + "a".repeat(20_000) + "' } } } route { cluster: 'a' }";
        assertThat(change(route).get("r")).contains("string_match." + kind).contains("aaa…");
        assertThat(change(route.replaceAll("a{20000}", "abc"))).isEmpty();
    }
}
