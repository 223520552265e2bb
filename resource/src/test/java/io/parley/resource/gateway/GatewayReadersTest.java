package io.parley.resource.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.manifest.ManifestReader;
import io.parley.resource.manifest.Manifests;
import io.parley.resource.manifest.StatusField;
import io.parley.resource.text.Syntax;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Gateway API objects are let in. */
class GatewayReadersTest {
    private static final String BACKEND = "backendRefs: [{name: a, port: 80}]";

    /** What is wrong with a manifest, as text; empty if nothing is. */
    private static String faults(String kind, String spec) {
        String yaml = "apiVersion: gateway.networking.k8s.io/v1\nkind: " + kind
                + "\nmetadata: {name: x, namespace: n}\n" + spec;
        return faults(yaml);
    }

    private static String faults(String yaml) {
        Manifests manifests =
                new ManifestReader(StatusField.DROP).read(yaml.getBytes(StandardCharsets.UTF_8), Syntax.YAML);
        return switch (manifests) {
            case Manifests.Good _ -> "";
            case Manifests.Faulty faulty -> faulty.problems().toString();
        };
    }

    private static String rule(String rule) {
        return faults("HTTPRoute", "spec: {rules: [{" + rule + "}]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "matches: [{path: {value: /a}}], backendRefs: [{name: a, port: 80, weight: 0}]",
                "matches: [{path: {type: Exact, value: /a}, method: GET, headers: [{name: A, value: b}]}]",
                "matches: [{queryParams: [{name: q, type: RegularExpression, value: 'a+'}]}]",
                "filters: [{type: RequestRedirect, requestRedirect: {scheme: https, statusCode: 308}}]",
                "filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /b}}}]",
                "filters: [{type: CORS, cors: {allowOrigins: ['*'], maxAge: 10}}]",
                "filters: [{type: ExtensionRef, extensionRef: {group: g, kind: K, name: n}}]",
                "timeouts: {request: 10s, backendRequest: 2s}, retry: {codes: [500], attempts: 1, backoff: 100ms}",
                "name: one, sessionPersistence: {sessionName: s, type: Cookie, absoluteTimeout: 1h, cookieConfig:"
                        + " {lifetimeType: Permanent}}",
                "backendRefs: [{kind: Bucket, group: a.example, name: b}]"
            })
    void takesRulesAsTheApiHasThem(String rule) {
        assertThat(rule(rule)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "matches: [{path: {type: Prefix, value: /a}}] | spec.rules[0].matches[0].path.type: Prefix (expected:"
                        + " one of Exact, PathPrefix, RegularExpression)",
                "matches: [{path: {value: a}}] | an absolute path",
                "matches: [{path: {value: /a//b}}] | in normal form",
                "matches: [{path: {value: '/a?b'}}] | in normal form",
                "matches: [{path: {value: '/a b'}}] | in normal form",
                "matches: [{path: {type: Exact, value: '/%zz'}}] | in normal form",
                "matches: [{path: {type: RegularExpression, value: '(a'}}] | RE2",
                "matches: [{headers: [{name: 'a b', value: c}]}] | headers[0].name",
                "matches: [{method: FETCH}] | one of CONNECT",
                "backendRefs: [{name: a}] | spec.rules[0].backendRefs[0].port: missing",
                "backendRefs: [{name: a, port: 70000}] | from 1 to 65535",
                "backendRefs: [{name: a, port: 80, weight: -1}] | from 0 to 1000000",
                "filters: [{type: RequestRedirect, requestRedirect: {statusCode: 300}}] | one of 301, 302, 303, 307,"
                        + " 308",
                "filters: [{type: Nope}] | one of RequestHeaderModifier",
                "filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: Content-Length, value:"
                    + " '0'}]}}] | requestHeaderModifier.set[0].name: Content-Length (expected: none of connection,",
                "filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {remove: [transfer-encoding]}}] |"
                        + " responseHeaderModifier.remove[0]: transfer-encoding (expected: none of connection,",
                "backendRefs: [{name: a, port: 80, filters: [{type: RequestHeaderModifier, requestHeaderModifier:"
                        + " {add: [{name: upgrade, value: h2c}]}}]}] | requestHeaderModifier.add[0].name: upgrade"
                        + " (expected: none",
                "filters: [{type: URLRewrite, requestRedirect: {}}] | the type is another",
                "matches: [{path: {type: Exact, value: /a}}], filters: [{type: URLRewrite, urlRewrite: {path: {type:"
                        + " ReplacePrefixMatch, replacePrefixMatch: /b}}}] | one match, of type PathPrefix",
                "filters: [{type: RequestRedirect, requestRedirect: {}}], backendRefs: [{name: a, port: 80}] | the"
                        + " rule redirects",
                "timeouts: {request: 1s, backendRequest: 2s} | longer than request",
                "timeouts: {request: soon} | a duration",
                "retry: {codes: [200]} | from 400 to 599",
                "sessionPersistence: {cookieConfig: {lifetimeType: Permanent}} | absoluteTimeout: missing",
                "matchs: [] | unknown field (expected: matches)",
            })
    void refusesRulesThatNoGatewayCouldKeep(String rule, String because) {
        assertThat(rule(rule)).contains(because);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: '%s'}}} |"
                        + " urlRewrite.path.replaceFullPath | a path such as /a",
                "{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: '%s'}}} |"
                        + " urlRewrite.path.replacePrefixMatch | a path such as /a",
                "{type: RequestRedirect, requestRedirect: {path: {type: ReplaceFullPath, replaceFullPath: '%s'}}} |"
                        + " requestRedirect.path.replaceFullPath | a path such as /a",
                "{type: RequestRedirect, requestRedirect: {hostname: '%s'}} | requestRedirect.hostname | a host name",
                "{type: RequestRedirect, requestRedirect: {scheme: '%s'}} | requestRedirect.scheme | http or https",
                "{type: URLRewrite, urlRewrite: {hostname: '%s'}} | urlRewrite.hostname | a host name",
                "{type: CORS, cors: {allowOrigins: ['https://%s']}} | cors.allowOrigins[0] | an origin",
                "{type: CORS, cors: {allowMethods: ['%s']}} | cors.allowMethods[0] | a method",
                "{type: CORS, cors: {allowHeaders: ['%s']}} | cors.allowHeaders[0] | the name of a header",
                "{type: CORS, cors: {exposeHeaders: ['%s']}} | cors.exposeHeaders[0] | the name of a header",
                "{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: '%s'}]}} |"
                        + " requestHeaderModifier.set[0].value | printable text",
                "{type: ResponseHeaderModifier, responseHeaderModifier: {add: [{name: '%s', value: a}]}} |"
                        + " responseHeaderModifier.add[0].name | the name of a header"
            })
    void whatWouldEndALineOfAHeadIsRefused(String filter, String path, String expected) {
        for (String end : List.of("\\r\\nX-Evil: y", "\\n", "\\r", "\\t", " ", "\\u010d\\u010a", "\\u007f")) {
            String rule = "filters: [" + filter.replace("'", "\"").formatted("a" + end) + "]";
            assertThat(rule(rule))
                    .as(rule)
                    .contains("spec.rules[0].filters[0]." + path + ": ")
                    .contains("expected: " + expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cookie | 'a b'",
                "Cookie | a;b",
                "Cookie | \"a\\r\\nX: b\"",
                "Cookie | \"a=b\"",
                "Cookie | \"\"",
                "Header | 'a b'",
                "Header | \"a\\r\\nX: b\"",
                "Header | \"a:\"",
                "Header | Content-Length",
                "Header | transfer-encoding",
                "Header | Host",
                "Header | connection",
                "Header | content-type",
                "Header | set-cookie"
            })
    void aSessionHasANameThatTheWireTakes(String type, String name) {
        assertThat(rule("sessionPersistence: {type: " + type + ", sessionName: " + name + "}"))
                .contains("spec.rules[0].sessionPersistence.sessionName: ");
    }

    @Test
    void takesWhatTheWireTakes() {
        assertThat(rule("filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath:"
                        + " '/a%20b/~c;d=1,2/@:'}}}, {type: CORS, cors: {allowOrigins: ['https://*.a.example:8443',"
                        + " 'http://[::1]:80'], allowMethods: ['*', GET], allowHeaders: ['*', X-One]}}]"))
                .isEmpty();
        assertThat(rule("sessionPersistence: {type: Header, sessionName: X-Seat}"))
                .isEmpty();
        assertThat(rule("sessionPersistence: {sessionName: __Host-seat}")).isEmpty();
        assertThat(rule("filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: a, value: \"b"
                        + " \\t c\"}]}}]"))
                .isEmpty();
    }

    @Test
    void whatIsRefusedIsShownWithoutItsControlCharacters() {
        assertThat(rule("sessionPersistence: {sessionName: \"a\\r\\n\\t\\e[31m\"}"))
                .contains("sessionName: a\\r\\n\\t\\u001b[31m (expected: the name of a cookie");
    }

    @Test
    void theHostIsNobodysToRemove() {
        assertThat(rule("filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [Host]}}]"))
                .contains("remove[0]: Host (expected: another header");
    }

    @Test
    void twoExpressionsThatAreTooLargeTogetherAreRefused() {
        String rules = "spec: {rules: [{matches: [{method: {type: RegularExpression, service: '%s', method: '%s'}}]}]}";
        assertThat(faults("GRPCRoute", rules.formatted("(a{100}){60}", "b"))).isEmpty();
        assertThat(faults("GRPCRoute", rules.formatted("(a{100}){60}", "(b{100}){60}")))
                .contains("service and method together")
                .contains("at most 10000 instructions");
    }

    @Test
    void takesAnEmptyReplacementAndZeroTimes() {
        assertThat(rule("filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch,"
                        + " replacePrefixMatch: ''}}}]"))
                .isEmpty();
        assertThat(rule("timeouts: {request: 0s, backendRequest: 5s}")).isEmpty();
        assertThat(rule("timeouts: {request: 5s, backendRequest: 0s}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{name: a}, {name: a, sectionName: x}] | a parent is there twice",
                "[{name: a, port: 80}, {name: a, port: 80}] | a parent is there twice",
                "[{name: a, port: 80}, {name: a, port: 81}] | ''",
                "[{name: a}, {name: a, namespace: other}] | ''"
            })
    void aParentIsNamedOnceOrByItsParts(String parents, String because) {
        assertThat(faults("HTTPRoute", "spec: {parentRefs: " + parents + "}")).contains(because);
    }

    @Test
    void noTwoRulesHaveTheSameName() {
        assertThat(faults("HTTPRoute", "spec: {rules: [{name: a, " + BACKEND + "}, {name: a, " + BACKEND + "}]}"))
                .contains("the name a is there twice");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "protocol: HTTP, tls: {certificateRefs: [{name: a}]} | tls: not allowed here (the protocol is HTTP)",
                "protocol: TCP, hostname: a.example | hostname: not allowed here (the protocol is TCP)",
                "protocol: UDP, hostname: a.example | hostname: not allowed here (the protocol is UDP)"
            })
    void aListenerHasOnlyWhatItsProtocolHas(String listener, String because) {
        assertThat(faults("Gateway", "spec: {gatewayClassName: c, listeners: [{name: l, port: 80, " + listener + "}]}"))
                .contains(because);
    }

    @Test
    void refusesMoreThanTheApiAllows() {
        String match = "{path: {value: /a}}";
        String many = "matches: [" + String.join(", ", Collections.nCopies(64, match)) + "], " + BACKEND;

        assertThat(rule(many)).isEmpty();
        assertThat(rule(many.replaceFirst("\\[", "[" + match + ", "))).contains("65 items (expected: at most 64)");
        assertThat(faults("HTTPRoute", "spec: {rules: [{" + many + "}, {" + many + "}, {" + BACKEND + "}]}"))
                .contains("129 matches in all rules (expected: at most 128)");
        String rules = String.join(", ", Collections.nCopies(17, "{" + BACKEND + "}"));
        assertThat(faults("HTTPRoute", "spec: {rules: [" + rules + "]}")).contains("17 items (expected: at most 16)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a{1000}){1000}", "((a{100}){100}){100}", "\\1(a)", "(?=a)b"})
    void refusesPatternsThatWouldStopAProxy(String pattern) {
        assertThat(rule("matches: [{path: {type: RegularExpression, value: '" + pattern + "'}}]"))
                .contains("RE2");
    }

    @Test
    void aRouteWithoutRulesTakesEverything() {
        assertThat(faults("HTTPRoute", "spec: {parentRefs: [{name: g}]}")).isEmpty();
        assertThat(faults("HTTPRoute", "spec: {parentRefs: [{name: g}, {name: g}]}"))
                .contains("there twice");
        assertThat(faults("HTTPRoute", "spec: {hostnames: ['*', 10.0.0.1]}"))
                .contains("spec.hostnames[0]", "spec.hostnames[1]");
    }

    @Test
    void readsGateways() {
        String listener = "{name: web, port: 80, protocol: HTTP}";
        assertThat(faults("Gateway", "spec: {gatewayClassName: p, listeners: [" + listener + "]}"))
                .isEmpty();
        assertThat(faults("Gateway", "spec: {gatewayClassName: p, listeners: [" + listener + ", " + listener + "]}"))
                .contains("web again");
        assertThat(faults("Gateway", "spec: {gatewayClassName: p, listeners: []}"))
                .contains("at least one item");
        assertThat(faults(
                        "Gateway",
                        "spec: {gatewayClassName: p, listeners: [{name: w, port: 80, protocol: HTTP,"
                                + " allowedRoutes: {namespaces: {from: Some}}}]}"))
                .contains("one of Same, All, Selector, None");
        assertThat(faults(
                        "Gateway",
                        "spec: {gatewayClassName: p, listeners: [{name: w, port: 443, protocol: HTTPS, tls:"
                                + " {mode: Both}}]}"))
                .contains("one of Terminate, Passthrough");
    }

    @Test
    void readsTheOtherKinds() {
        assertThat(faults(
                        "GRPCRoute",
                        "spec: {rules: [{matches: [{method: {service: a.B, method: C}}], " + BACKEND + "}]}"))
                .isEmpty();
        assertThat(faults("GRPCRoute", "spec: {rules: [{matches: [{method: {}}]}]}"))
                .contains("at least one");
        assertThat(faults("TCPRoute", "spec: {rules: [{" + BACKEND + "}]}")).isEmpty();
        assertThat(faults("TCPRoute", "spec: {rules: [{backendRefs: []}]}")).contains("at least one item");
        assertThat(faults("TLSRoute", "spec: {hostnames: [a.example], rules: [{" + BACKEND + "}]}"))
                .isEmpty();
        assertThat(faults("UDPRoute", "spec: {hostnames: [a.example], rules: [{" + BACKEND + "}]}"))
                .contains("unknown field");
        assertThat(faults(
                        "ReferenceGrant",
                        "spec: {from: [{group: g, kind: K, namespace: n}], to: [{group: '', kind: Secret}]}"))
                .isEmpty();
        assertThat(faults(
                        "BackendTLSPolicy",
                        "spec: {targetRefs: [{group: '', kind: Service, name: a}], validation: {hostname: a.example}}"))
                .contains("exactly one of caCertificateRefs, wellKnownCACertificates");
    }

    @Test
    void servicesAreReadAsFarAsTheyMatter() {
        String service = "{apiVersion: v1, kind: Service, metadata: {name: x}, spec: ";
        assertThat(faults(service
                        + "{clusterIP: None, sessionAffinity: None, ports: [{port: 53}, {port: 53, protocol: UDP}]}}"))
                .isEmpty();
        assertThat(faults(service + "{ports: [{port: 53}, {port: 53, name: b}]}}"))
                .contains("53/TCP again");
        assertThat(faults(service + "{ports: [{port: 53, appProtocol: a/b/c}]}}"))
                .contains("appProtocol: a/b/c");
        assertThat(faults(service + "{ports: [{port: 53, protocol: QUIC}]}}")).contains("one of TCP, UDP, SCTP");
        assertThat(faults("{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: x}, ports:"
                        + " [{port: 0}]}"))
                .contains("ports[0].port: 0");
    }
}
