package io.parley.resource.kind;

import java.util.List;

/** What the mesh reads of Kubernetes. Documents are kept as they are. */
final class KubernetesKinds {
    private static final String GATEWAY = "gateway.networking.k8s.io";

    static final List<Kind> ALL = List.of(
            core("Service", "A name and ports for a set of Pods").words("svc").build(),
            core("Pod", "Containers that run together").words("po").build(),
            core("Namespace", "A part of a cluster")
                    .words("ns")
                    .scope(Scope.GLOBAL)
                    .names(NameRule.NAMESPACE)
                    .build(),
            core("Secret", "A secret of one namespace").shape(Shape.BARE).build(),
            core("ConfigMap", "Settings of one namespace")
                    .words("cm")
                    .shape(Shape.BARE)
                    .build(),
            Kind.named("EndpointSlice")
                    .ofKubernetes("discovery.k8s.io", "discovery.k8s.io/v1", "discovery.k8s.io/v1beta1")
                    .description("Addresses behind a Service")
                    .shape(Shape.BARE)
                    .build(),
            gateway("GatewayClass", "A kind of gateway and who implements it", "v1", "v1beta1")
                    .plural("gatewayclasses")
                    .words("gc")
                    .scope(Scope.GLOBAL)
                    .build(),
            gateway("Gateway", "Where a gateway listens", "v1", "v1beta1")
                    .words("gtw")
                    .build(),
            gateway("HTTPRoute", "Which HTTP requests go where", "v1", "v1beta1")
                    .build(),
            gateway("GRPCRoute", "Which gRPC calls go where", "v1", "v1alpha2").build(),
            gateway("TLSRoute", "Which TLS connections go where", "v1", "v1alpha3", "v1alpha2")
                    .build(),
            gateway("TCPRoute", "Which TCP connections go where", "v1", "v1alpha2")
                    .build(),
            gateway("UDPRoute", "Which UDP datagrams go where", "v1", "v1alpha2")
                    .build(),
            gateway("ReferenceGrant", "Who may refer to what in a namespace", "v1", "v1beta1", "v1alpha2")
                    .words("refgrant")
                    .build(),
            gateway("BackendTLSPolicy", "How a gateway speaks TLS to a backend", "v1", "v1alpha3", "v1alpha2")
                    .plural("backendtlspolicies")
                    .words("btlspolicy")
                    .build());

    private KubernetesKinds() {}

    private static Kind.Builder core(String name, String description) {
        return Kind.named(name).ofKubernetes("core", "v1").description(description);
    }

    private static Kind.Builder gateway(String name, String description, String... versions) {
        String[] apiVersions = List.of(versions).stream()
                .map(version -> GATEWAY + "/" + version)
                .toArray(String[]::new);
        return Kind.named(name).ofKubernetes(GATEWAY, apiVersions).description(description);
    }
}
