package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that cannot be kept are told so exactly, and those beside them are served as before. */
@ExtendWith(SharedControlPlane.class)
class BadObjectsTest {
    private static final String NAMESPACE = "bad";
    private static final int PORT = FreePorts.next();

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, NAMESPACE);
        bed.service("v1", "80");
        bed.serviceIn("foreign", "v1", "80");
        bed.gateway("edge", "- {name: http, port: %d, protocol: HTTP}".formatted(PORT));
        bed.route("HTTPRoute", "good", "{name: edge}", """
            hostnames: [good.example]
            rules: [{backendRefs: [{name: v1, port: 80}]}]
            """);
        bed.http().expectBackend(get(PORT, "good.example", "/"), "v1");
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    @AfterEach
    void othersAreStillServed() {
        assertThat(HttpCalls.pod(bed.http().send(get(PORT, "good.example", "/"))))
                .isEqualTo("v1");
        assertThat(bed.conditions("httproutes", "good"))
                .containsExactly("Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    private static TestControlPlane.Result tryRule(String rule) {
        return bed.tryToApply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: tried, namespace: bad}
            spec:
              parentRefs: [{name: edge}]
              hostnames: [tried.example]
              rules: [%s]
            """.formatted(rule));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{matches: [{path: {type: Fuzzy, value: /}}]}|Fuzzy (expected: one of Exact",
                "{matches: [{method: FETCH}]}|FETCH (expected:",
                "{filters: [{type: Wish, wish: {}}]}|Wish (expected:",
                "{filters: [{type: RequestRedirect, requestRedirect: {statusCode: 305}}]}|305 (expected:",
                "{matches: [{path: {type: RegularExpression, value: '/(a+)+\\1'}}]}|(expected:",
                "{matches: [{headers: [{name: x, type: RegularExpression, value: '(?=a)b'}]}]}|(expected:"
            })
    void unknownEnumsAndPatternsThatWouldStopAProxyAreRefusedBeforeTheyAreStored(String rule, String because) {
        TestControlPlane.Result result = tryRule(rule);

        assertThat(result.exit()).isNotZero();
        assertThat(result.err()).contains("spec.rules[0]", because);
        assertThat(bed.parley("get", "httproutes", "tried", "-n", NAMESPACE).exit())
                .isNotZero();
    }

    @Test
    void aPatternThatBacktracksElsewhereTakesNoTimeHere() {
        bed.route("HTTPRoute", "pattern", "{name: edge}", """
            hostnames: [pattern.example]
            rules: [{matches: [{path: {type: RegularExpression, value: "/(a+)+b"}}], backendRefs: [{name: v1, port: 80}]}]
            """);

        bed.http().expectBackend(get(PORT, "pattern.example", "/aab"), "v1");
        bed.http().expectStatus(get(PORT, "pattern.example", "/" + "a".repeat(4_000)), 404);
    }

    @Test
    void sixtyFourMatchesAreServedAndSixtyFiveRefused() {
        bed.route("HTTPRoute", "many", "{name: edge}", """
            hostnames: [many.example]
            rules: [{matches: [%s], backendRefs: [{name: v1, port: 80}]}]
            """.formatted(matches(64)));
        bed.http().expectBackend(get(PORT, "many.example", "/m0"), "v1");
        bed.http().expectBackend(get(PORT, "many.example", "/m63"), "v1");

        TestControlPlane.Result result = tryRule("{matches: [" + matches(65) + "]}");
        assertThat(result.exit()).isNotZero();
        assertThat(result.err()).contains("spec.rules[0].matches: 65");
    }

    private static String matches(int count) {
        return IntStream.range(0, count)
                .mapToObj("{path: {type: Exact, value: /m%d}}"::formatted)
                .collect(Collectors.joining(", "));
    }

    @Test
    void aMissingServiceIsNamedAnd500() {
        bed.route("HTTPRoute", "missing", "{name: edge}", """
            hostnames: [missing.example]
            rules: [{backendRefs: [{name: nobody, port: 80}]}]
            """);

        bed.http().expectStatus(get(PORT, "missing.example", "/"), 500);
        bed.expectConditions("httproutes", "missing", "Accepted=True/Accepted", "ResolvedRefs=False/BackendNotFound");
        assertThat(bed.object("httproutes", NAMESPACE, "missing").toString())
                .contains("rules[0].backendRefs[0]", "Service/bad/nobody");
    }

    @Test
    void case35_anUngrantedReferenceIs500WhateverItLeadsTo() {
        bed.serviceIn("foreign", "odd", "80=kubernetes.io/foo");
        bed.route("HTTPRoute", "ungranted", "{name: edge}", """
            hostnames: [ungranted.example]
            rules: [{backendRefs: [{name: odd, namespace: foreign, port: 80}, {name: no, namespace: foreign, port: 80}]}]
            """);

        bed.http().expectStatus(get(PORT, "ungranted.example", "/"), 500);
        bed.expectConditions("httproutes", "ungranted", "Accepted=True/Accepted", "ResolvedRefs=False/RefNotPermitted");
    }

    @Test
    void case37_theBadRuleOfTwoIsNamedWithItsValueAndTheOtherServes() {
        bed.service("odd", "81=kubernetes.io/foo");
        bed.route("HTTPRoute", "half", "{name: edge}", """
            hostnames: [half.example]
            rules:
              - {matches: [{path: {value: /good}}], backendRefs: [{name: v1, port: 80}]}
              - {matches: [{path: {value: /bad}}], backendRefs: [{name: odd, port: 81}]}
            """);

        bed.http().expectBackend(get(PORT, "half.example", "/good"), "v1");
        bed.http().expectStatus(get(PORT, "half.example", "/bad"), 500);
        bed.expectConditions("httproutes", "half", "Accepted=True/Accepted", "ResolvedRefs=False/UnsupportedProtocol");
        assertThat(bed.object("httproutes", NAMESPACE, "half").toString())
                .contains(
                        "rules[1].backendRefs[0]",
                        "port 81 of Service/bad/odd",
                        "kubernetes.io/foo",
                        "(expected: none,");
    }

    @Test
    void listenersInEachOthersWayAreBothConflictedAndTheThirdServes() {
        int port = FreePorts.next();
        int other = FreePorts.next();
        bed.gateway("double", """
            - {name: a, port: %1$d, protocol: HTTP, hostname: same.example}
            - {name: b, port: %1$d, protocol: HTTP, hostname: same.example}
            - {name: c, port: %2$d, protocol: HTTP}
            """.formatted(port, other));
        bed.route("HTTPRoute", "double", "double", "v1", 80);

        bed.http().expectBackend(get(other, "any.example", "/"), "v1");
        for (int at = 0; at < 2; at++) {
            assertThat(bed.conditionsAt("gateways", "double", "/status/listeners/" + at + "/conditions"))
                    .contains(
                            "Accepted=False/HostnameConflict",
                            "Programmed=False/Invalid",
                            "Conflicted=True/HostnameConflict");
        }
        assertThat(bed.conditionsAt("gateways", "double", "/status/listeners/2/conditions"))
                .contains("Accepted=True/Accepted", "Programmed=True/Programmed", "Conflicted=False/NoConflicts");
        assertThat(bed.conditionsAt("gateways", "double", "/status/conditions"))
                .contains("Accepted=True/ListenersNotValid");
        assertThat(bed.tryToApply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: Gateway
            metadata: {name: twice, namespace: bad}
            spec: {gatewayClassName: parley, listeners: [{name: a, port: 1, protocol: HTTP}, {name: a, port: 2, protocol: HTTP}]}
            """).err()).contains("spec.listeners[1].name: a again");
    }

    @Test
    void listenerSetsAreRefusedRatherThanForgotten() {
        TestControlPlane.Result result = bed.tryToApply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: ListenerSet
            metadata: {name: more, namespace: bad}
            spec: {parentRef: {name: edge}, listeners: [{name: a, port: 1, protocol: HTTP}]}
            """);

        assertThat(result.exit()).isNotZero();
        assertThat(result.err()).contains("ListenerSet");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ExternalAuth|externalAuth: {protocol: HTTP, backendRef: {name: v1, port: 80}}",
                "ExtensionRef|extensionRef: {group: x.example, kind: Wall, name: w}"
            })
    void aFilterThatMightGuardSomethingIsNeverSkipped(String type, String content) {
        bed.route("HTTPRoute", "guarded", "{name: edge}", """
            hostnames: [guarded.example]
            rules:
              - {matches: [{path: {value: /open}}], backendRefs: [{name: v1, port: 80}]}
              - {matches: [{path: {value: /}}], filters: [{type: %s, %s}], backendRefs: [{name: v1, port: 80}]}
            """.formatted(type, content));

        bed.http().expectBackend(get(PORT, "guarded.example", "/open"), "v1");
        bed.http().expectStatus(get(PORT, "guarded.example", "/"), 500);
        bed.expectConditions(
                "httproutes",
                "guarded",
                "Accepted=True/Accepted",
                "ResolvedRefs=True/ResolvedRefs",
                "PartiallyInvalid=True/UnsupportedValue");
        assertThat(bed.object("httproutes", NAMESPACE, "guarded").toString())
                .contains("Dropped Rule 1: filter " + type);
    }
}
