package io.parley.resource.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.KindId;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KindsTest {
    private static final List<String> POLICIES = List.of(
            "MeshAccessLog",
            "MeshCircuitBreaker",
            "MeshFaultInjection",
            "MeshHealthCheck",
            "MeshHTTPRoute",
            "MeshProxyPatch",
            "MeshRateLimit",
            "MeshRetry",
            "MeshTimeout",
            "MeshTrace",
            "MeshTrafficPermission");

    @Test
    void zonesSendWhatTheDesignDocumentLists() {
        assertThat(named(kind -> kind.sync().reachesGlobal() && !POLICIES.contains(kind.name())))
                .containsExactlyInAnyOrder(
                        "Dataplane",
                        "DataplaneInsight",
                        "ZoneEgress",
                        "ZoneEgressInsight",
                        "ZoneIngress",
                        "ZoneIngressInsight");
    }

    @Test
    void zonesReceiveWhatTheDesignDocumentLists() {
        Stream<String> listed = Stream.of(
                "CircuitBreaker",
                "ExternalService",
                "FaultInjection",
                "HealthCheck",
                "Mesh",
                "MeshGateway",
                "MeshGatewayRoute",
                "ProxyTemplate",
                "RateLimit",
                "Retry",
                "ServiceInsight",
                "Timeout",
                "TrafficLog",
                "TrafficPermission",
                "TrafficRoute",
                "TrafficTrace",
                "VirtualOutbound",
                "ZoneIngress",
                "Secret",
                "Config");
        // Not in the document: Kuma sends GlobalSecrets too, and VersionPolicy is ours.
        Stream<String> others = Stream.of("GlobalSecret", "VersionPolicy");
        assertThat(named(kind -> kind.sync().reachesZones()))
                .containsExactlyInAnyOrderElementsOf(Stream.of(listed, POLICIES.stream(), others)
                        .flatMap(names -> names)
                        .toList());
    }

    @Test
    void zonesMayHavePoliciesOfTheirOwn() {
        assertThat(named(kind -> kind.author() == Author.ANYWHERE && kind.shape() == Shape.SPEC))
                .containsExactlyInAnyOrderElementsOf(POLICIES);
    }

    @Test
    void pathsAreUniqueWithinAScope() {
        assertThat(Kinds.all().stream().map(kind -> kind.scope() + " " + kind.plural()))
                .doesNotHaveDuplicates();
    }

    @Test
    void wordsMeanOneKindOnly() {
        assertThat(Kinds.all().stream().flatMap(kind -> kind.words().stream())).doesNotHaveDuplicates();
    }

    @Test
    void everyKindSaysWhatItIs() {
        assertThat(Kinds.all())
                .allSatisfy(kind -> assertThat(kind.description()).isNotBlank());
    }

    @Test
    void whateverIsReplacedIsReplacedByAKindThatThereIs() {
        assertThat(Kinds.all())
                .filteredOn(kind -> kind.replacedBy().isPresent())
                .extracting(Kind::name)
                .contains("MeshGateway", "MeshGatewayRoute", "Timeout");
        assertThat(Kinds.all())
                .allSatisfy(kind -> assertThat(
                                kind.replacedBy().flatMap(Kinds::find).isPresent())
                        .isEqualTo(kind.replacedBy().isPresent()));
    }

    @Test
    void oldPoliciesNameTheirSuccessor() {
        assertThat(LegacyKinds.ALL)
                .filteredOn(kind -> !kind.name().equals("VirtualOutbound"))
                .allSatisfy(kind ->
                        assertThat(kind.replacedBy().flatMap(Kinds::find)).isPresent());
    }

    @ParameterizedTest
    @CsvSource({
        "MeshTimeout, meshtimeouts",
        "MeshRetry, meshretries",
        "MeshProxyPatch, meshproxypatches",
        "MeshHTTPRoute, meshhttproutes",
        "Mesh, meshes",
        "Dataplane, dataplanes",
        "DataplaneInsight, dataplane-insights",
        "ZoneIngress, zoneingresses",
        "ZoneEgress, zoneegresses",
        "Retry, retries",
        "TrafficPermission, traffic-permissions",
        "GlobalSecret, global-secrets",
        "core/Service, services",
        "gateway.networking.k8s.io/BackendTLSPolicy, backendtlspolicies"
    })
    void pathsAreThoseOfKumaAndKubernetes(String id, String plural) {
        assertThat(Kinds.require(new KindId(id)).plural()).isEqualTo(plural);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MeshTimeout", "meshtimeout", "meshtimeouts", "MESHTIMEOUTS", "mt"})
    void peopleNeedNotRememberHowAKindIsWritten(String word) {
        assertThat(Kinds.findByWord(word).map(Kind::name)).contains("MeshTimeout");
    }

    @Test
    void theSecretsOfAMeshAndOfANamespaceAreDifferentKinds() {
        assertThat(Kinds.findByWord("secrets").map(kind -> kind.id().value())).contains("Secret");
        assertThat(Kinds.findByWord("core/secret").map(kind -> kind.id().value()))
                .contains("core/Secret");
        assertThat(Kinds.findByPlural(Scope.NAMESPACE, "secrets")
                        .map(kind -> kind.id().value()))
                .contains("core/Secret");
    }

    @Test
    void theSpellingOfTheDesignDocumentIsKnown() {
        assertThat(Kinds.findByType("MeshHttpRoute").map(Kind::name)).contains("MeshHTTPRoute");
    }

    @ParameterizedTest
    @CsvSource({
        "gateway.networking.k8s.io/v1, HTTPRoute",
        "gateway.networking.k8s.io/v1beta1, HTTPRoute",
        "gateway.networking.k8s.io/v1alpha2, TLSRoute",
        "gateway.networking.k8s.io/v1alpha3, BackendTLSPolicy",
        "gateway.networking.k8s.io/v1alpha1, BackendProtocol",
        "v1, Service",
        "kuma.io/v1alpha1, MeshTimeout"
    })
    void versionsOfKubernetesManifestsAreKnown(String apiVersion, String kind) {
        assertThat(Kinds.findByApiVersion(apiVersion, kind).map(Kind::name)).contains(kind);
    }

    private static List<String> named(Predicate<Kind> rule) {
        return Kinds.all().stream().filter(rule).map(Kind::name).toList();
    }
}
