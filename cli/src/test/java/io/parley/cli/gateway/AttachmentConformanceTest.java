package io.parley.cli.gateway;

import static io.parley.cli.gateway.Request.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.cli.FreePorts;
import io.parley.cli.TestControlPlane;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The other half of the conformance suite's core tests of GATEWAY-HTTP: which routes are let in where, and where their references lead. */
@ExtendWith(SharedControlPlane.class)
class AttachmentConformanceTest {
    private static final int SAME = FreePorts.next();
    private static final int ALL = FreePorts.next();

    @SuppressWarnings("NullAway.Init")
    private static GatewayBed bed;

    @BeforeAll
    static void start(TestControlPlane controlPlane) {
        bed = new GatewayBed(controlPlane, "attach");
        for (String name : new String[] {"v1", "v2", "v3"}) {
            bed.service(name, "8080");
        }
        bed.serviceIn("attach-web", "web", "8080");
        bed.gateway("same", "- {name: http, port: %d, protocol: HTTP}".formatted(SAME));
        bed.gateway(
                "all",
                "- {name: http, port: %d, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}".formatted(ALL));
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static void route(String name, String parent, String rules) {
        route("attach", name, "{name: " + parent + "}", rules);
    }

    private static void route(String namespace, String name, String parent, String rules) {
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: %2$s, namespace: %1$s}
            spec:
              hostnames: [%2$s.example]
              parentRefs: [%3$s]
              rules:
            %4$s\
            """.formatted(namespace, name, parent, rules.indent(4)));
    }

    @Test
    void httpRouteCrossNamespace() {
        route("attach-web", "cross", "{name: all, namespace: attach}", "- backendRefs: [{name: web, port: 8080}]");

        bed.http().expectBackend(get(ALL, "cross.example", "/"), "web");
    }

    @Test
    void httpRouteInvalidCrossNamespaceParentRef() {
        route("attach-web", "far", "{name: same, namespace: attach}", "- backendRefs: [{name: web, port: 8080}]");

        Patience.until(
                "status",
                () -> assertThat(bed.conditions("httproutes", "attach-web", "far"))
                        .contains("Accepted=False/NotAllowedByListeners"));
        bed.http().expectStatus(get(SAME, "far.example", "/"), 404);
    }

    @Test
    void httpRouteInvalidNonExistentBackendRef_andUnknownKind() {
        route("missing", "same", "- backendRefs: [{name: nope, port: 8080}]");
        route("kind", "same", "- backendRefs: [{kind: NonExistent, name: nope, port: 8080}]");

        bed.http().expectStatus(get(SAME, "missing.example", "/"), 500);
        bed.http().expectStatus(get(SAME, "kind.example", "/"), 500);
        bed.expectConditions("httproutes", "missing", "Accepted=True/Accepted", "ResolvedRefs=False/BackendNotFound");
        bed.expectConditions("httproutes", "kind", "Accepted=True/Accepted", "ResolvedRefs=False/InvalidKind");
    }

    @Test
    void httpRouteReferenceGrant_andPartiallyInvalid() {
        route("grant", "same", "- backendRefs: [{name: web, namespace: attach-web, port: 8080}]");
        bed.http().expectStatus(get(SAME, "grant.example", "/"), 500);
        bed.expectConditions("httproutes", "grant", "Accepted=True/Accepted", "ResolvedRefs=False/RefNotPermitted");

        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1beta1
            kind: ReferenceGrant
            metadata: {name: routes, namespace: attach-web}
            spec:
              from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: attach}]
              to: [{group: "", kind: Service, name: web}]
            """);
        bed.http().expectBackend(get(SAME, "grant.example", "/"), "web");

        bed.delete("referencegrants", "attach-web", "routes");
        bed.http().expectStatus(get(SAME, "grant.example", "/"), 500);
    }

    @Test
    void httpRouteListenerHostnameMatching_andHostnameIntersection() {
        int port = FreePorts.next();
        bed.gateway("names", """
            - {name: bar, port: %1$d, protocol: HTTP, hostname: bar.com}
            - {name: foo, port: %1$d, protocol: HTTP, hostname: foo.bar.com}
            - {name: wild, port: %1$d, protocol: HTTP, hostname: "*.bar.com"}
            """.formatted(port));
        bed.route(
                "HTTPRoute",
                "bar",
                "{name: names, sectionName: bar}",
                "rules: [{backendRefs: [{name: v1, port: 8080}]}]");
        bed.route(
                "HTTPRoute",
                "foo",
                "{name: names, sectionName: foo}",
                "rules: [{backendRefs: [{name: v2, port: 8080}]}]");
        bed.route("HTTPRoute", "wild", "{name: names, sectionName: wild}", """
            hostnames: ["*.com", none.example]
            rules: [{backendRefs: [{name: v3, port: 8080}]}]
            """);

        bed.http().expectBackend(get(port, "bar.com", "/"), "v1");
        bed.http().expectBackend(get(port, "foo.bar.com", "/"), "v2");
        bed.http().expectBackend(get(port, "baz.bar.com", "/"), "v3");
        bed.http().expectBackend(get(port, "multiple.prefixes.bar.com", "/"), "v3");
        bed.http().expectStatus(get(port, "foo.com", "/"), 404);
        bed.http().expectStatus(get(port, "none.example", "/"), 404);
        bed.route("HTTPRoute", "none", "{name: names}", """
            hostnames: [none.example]
            rules: [{backendRefs: [{name: v1, port: 8080}]}]
            """);
        bed.expectConditions(
                "httproutes", "none", "Accepted=False/NoMatchingListenerHostname", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void httpRouteMultipleGateways_case36() {
        bed.route("HTTPRoute", "both", "{name: same}, {name: all}", """
            hostnames: [both.example]
            rules: [{backendRefs: [{name: v1, port: 8080}]}]
            """);

        bed.http().expectBackend(get(SAME, "both.example", "/"), "v1");
        bed.http().expectBackend(get(ALL, "both.example", "/"), "v1");
        Patience.until(
                "both",
                () -> assertThat(bed.object("httproutes", "attach", "both").at("/status/parents"))
                        .hasSize(2));
    }

    @Test
    void httpRouteServiceTypes() {
        int port = bed.service("backing", "8080").port();
        String[][] services = {
            {"headless", "clusterIP: None, selector: {app: x}"},
            {"manual", "type: ClusterIP"},
            {"headless-manual", "clusterIP: None"},
            {"node-port", "type: NodePort"}
        };
        for (String[] each : services) {
            bed.apply("""
                apiVersion: v1
                kind: Service
                metadata: {name: %1$s, namespace: attach}
                spec: {%2$s, ports: [{port: 8080}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %1$s-1, namespace: attach, labels: {kubernetes.io/service-name: %1$s}}
                addressType: IPv4
                endpoints: [{addresses: [127.0.0.1]}]
                ports: [{port: %3$d}]
                """.formatted(each[0], each[1], port));
            route(each[0], "same", "- backendRefs: [{name: " + each[0] + ", port: 8080}]");

            bed.http().expectBackend(get(SAME, each[0] + ".example", "/"), "backing");
        }
    }

    @Test
    void aServiceWithoutReadyEndpointsIs503() {
        bed.apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: nobody, namespace: attach}
            spec: {ports: [{port: 8080}]}
            """);
        route("nobody", "same", "- backendRefs: [{name: nobody, port: 8080}]");

        bed.http().expectStatus(get(SAME, "nobody.example", "/"), 503);
        bed.expectConditions("httproutes", "nobody", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
    }

    @Test
    void httpRouteObservedGenerationBump() {
        route("bump", "same", "- backendRefs: [{name: v1, port: 8080}]");
        bed.http().expectBackend(get(SAME, "bump.example", "/"), "v1");

        route("bump", "same", "- backendRefs: [{name: v2, port: 8080}]");

        bed.http().expectBackend(get(SAME, "bump.example", "/"), "v2");
        bed.expectConditions("httproutes", "bump", "Accepted=True/Accepted", "ResolvedRefs=True/ResolvedRefs");
        assertThat(bed.object("httproutes", "attach", "bump")
                        .at("/metadata/generation")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void httpRouteInvalidParentRefNotMatchingSectionName() {
        route("attach", "section", "{name: same, sectionName: no}", "- backendRefs: [{name: v1, port: 8080}]");

        bed.expectConditions(
                "httproutes", "section", "Accepted=False/NoMatchingParent", "ResolvedRefs=True/ResolvedRefs");
        bed.http().expectStatus(get(SAME, "section.example", "/"), 404);
    }

    @Test
    void httpRouteInvalidReferenceGrant_andPartiallyInvalidViaInvalidReferenceGrant() {
        bed.serviceIn("granting", "web", "8080");
        bed.apply("""
            apiVersion: gateway.networking.k8s.io/v1beta1
            kind: ReferenceGrant
            metadata: {name: others, namespace: granting}
            spec:
              from:
                - {group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: elsewhere}
                - {group: gateway.networking.k8s.io, kind: GRPCRoute, namespace: attach}
              to: [{group: "", kind: Service}]
            """);
        route("partly", "same", """
            - {matches: [{path: {value: /one}}], backendRefs: [{name: web, namespace: granting, port: 8080}]}
            - {matches: [{path: {value: /two}}], backendRefs: [{name: v2, port: 8080}]}
            """);

        bed.http().expectStatus(get(SAME, "partly.example", "/one"), 500);
        bed.http().expectBackend(get(SAME, "partly.example", "/two"), "v2");
        bed.expectConditions("httproutes", "partly", "Accepted=True/Accepted", "ResolvedRefs=False/RefNotPermitted");
    }

    @Test
    void gatewayModifyListeners_andWithAttachedRoutes() {
        int first = FreePorts.next();
        int second = FreePorts.next();
        String one = "- {name: one, port: %d, protocol: HTTP}\n".formatted(first);
        bed.gateway("changing", one);
        bed.route("HTTPRoute", "changing", "changing", "v1", 8080);
        bed.http().expectBackend(get(first, "any.example", "/"), "v1");
        expectAttached(1);

        bed.gateway("changing", one + "- {name: two, port: %d, protocol: HTTP}".formatted(second));
        bed.http().expectBackend(get(second, "any.example", "/"), "v1");
        expectAttached(1, 1);

        bed.gateway("changing", one);
        expectAttached(1);
        bed.http().expectBackend(get(first, "any.example", "/"), "v1");
        bed.delete("httproutes", "changing");
        expectAttached(0);
    }

    private static void expectAttached(Integer... counts) {
        Patience.until(
                "attached",
                () -> assertThat(bed.object("gateways", "attach", "changing").at("/status/listeners"))
                        .extracting(listener -> listener.path("attachedRoutes").asInt())
                        .containsExactly(counts));
    }
}
