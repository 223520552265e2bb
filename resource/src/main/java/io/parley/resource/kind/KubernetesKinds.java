package io.parley.resource.kind;

import io.parley.resource.core.EndpointSliceSpec;
import io.parley.resource.core.ServiceSpec;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import io.parley.resource.gateway.GatewayClassSpec;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.GrpcRouteSpec;
import io.parley.resource.gateway.HttpRouteSpec;
import io.parley.resource.gateway.ReferenceGrantSpec;
import io.parley.resource.gateway.StreamRouteSpec;
import java.util.List;

/** What the mesh reads of Kubernetes. Documents are kept as they are. */
final class KubernetesKinds {
    private static final String GATEWAY = "gateway.networking.k8s.io";

    static final List<Kind> ALL = List.of(
            core("Service", "A name and ports for a set of Pods")
                    .words("svc")
                    .reader(ServiceSpec.READER)
                    .build(),
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
                    .reader(EndpointSliceSpec.READER)
                    .build(),
            gateway("GatewayClass", "A kind of gateway and who implements it", "v1", "v1beta1")
                    .plural("gatewayclasses")
                    .words("gc")
                    .reader(GatewayClassSpec.READER)
                    .scope(Scope.GLOBAL)
                    .build(),
            gateway("Gateway", "Where a gateway listens", "v1", "v1beta1")
                    .words("gtw")
                    .reader(GatewaySpec.READER)
                    .build(),
            gateway("HTTPRoute", "Which HTTP requests go where", "v1", "v1beta1")
                    .reader(HttpRouteSpec.READER)
                    .build(),
            gateway("GRPCRoute", "Which gRPC calls go where", "v1", "v1alpha2")
                    .reader(GrpcRouteSpec.READER)
                    .build(),
            gateway("TLSRoute", "Which TLS connections go where", "v1", "v1alpha3", "v1alpha2")
                    .reader(StreamRouteSpec.TLS)
                    .build(),
            gateway("TCPRoute", "Which TCP connections go where", "v1", "v1alpha2")
                    .reader(StreamRouteSpec.PLAIN)
                    .build(),
            gateway("UDPRoute", "Which UDP datagrams go where", "v1", "v1alpha2")
                    .reader(StreamRouteSpec.PLAIN)
                    .build(),
            gateway("ReferenceGrant", "Who may refer to what in a namespace", "v1", "v1beta1", "v1alpha2")
                    .words("refgrant")
                    .reader(ReferenceGrantSpec.READER)
                    .build(),
            gateway("BackendTLSPolicy", "How a gateway speaks TLS to a backend", "v1", "v1alpha3", "v1alpha2")
                    .plural("backendtlspolicies")
                    .words("btlspolicy")
                    .reader(BackendTlsPolicySpec.READER)
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
