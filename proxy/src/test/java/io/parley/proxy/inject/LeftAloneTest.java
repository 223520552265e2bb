package io.parley.proxy.inject;

import static io.parley.proxy.inject.InjectorTest.injected;
import static io.parley.proxy.inject.InjectorTest.result;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that get no proxy, and what is said of them. */
class LeftAloneTest {
    @ParameterizedTest
    @ValueSource(strings = {"linkerd-proxy", "istio-proxy", "kuma-sidecar"})
    void aPodOfAnotherMeshIsLeftAlone(String proxy) {
        String pod = "kind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: " + proxy + "\n";
        assertThat(injected(pod)).isEqualTo(pod);
        assertThat(result(pod).notes()).containsExactly("Pod/p left alone: it has a proxy, " + proxy);
    }

    /** An input of Linkerd's own tests: its init container is there, its proxy is not. */
    @ParameterizedTest
    @ValueSource(strings = {"linkerd-init", "linkerd-network-validator", "istio-init", "istio-validation", "kuma-init"})
    void aPodThatIsInterceptedForAnotherMeshIsLeftAlone(String init) {
        String pod = "kind: Pod\nmetadata: {name: p}\nspec:\n  initContainers:\n  - name: " + init
                + "\n  containers:\n  - name: web\n";
        assertThat(injected(pod)).isEqualTo(pod);
        assertThat(result(pod).notes())
                .containsExactly("Pod/p left alone: its connections are intercepted for another mesh, by " + init);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nodeSelector: {kubernetes.io/os: windows}",
                "nodeSelector: {beta.kubernetes.io/os: Windows}",
                "os: {name: windows}",
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                    + " [{matchExpressions: [{key: a, operator: Exists}, {key: kubernetes.io/os, operator: In, values:"
                    + " [windows]}]}]}}}"
            })
    void aPodForWindowsIsLeftAlone(String where) {
        String pod = "kind: Pod\nmetadata: {name: p}\nspec:\n  " + where + "\n  containers:\n  - name: web\n";
        assertThat(injected(pod)).isEqualTo(pod);
        assertThat(result(pod).notes())
                .containsExactly("Pod/p left alone: it is for nodes with Windows, where nothing can be intercepted");
        String linux = pod.replaceFirst("(?i)windows", "linux");
        assertThat(result(linux).notes()).containsExactly("Pod/p injected");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}",
                "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                        + "{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows, linux]}]}]}",
                "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                        + "{matchExpressions: [{key: kubernetes.io/os, operator: NotIn, values: [windows]}]}]}",
                "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                        + "{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]},"
                        + " {matchExpressions: [{key: gpu, operator: Exists}]}]}",
                "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: "
                        + "{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]}}]"
            })
    void aPodThatMayRunElsewhereThanOnWindowsIsInjected(String affinity) {
        String pod = "kind: Pod\nmetadata: {name: p}\nspec:\n  affinity: {nodeAffinity: {" + affinity
                + "}}\n  containers:\n  - name: web\n";
        assertThat(result(pod).notes()).containsExactly("Pod/p injected");
    }

    @Test
    void whoMustNotBeInjectedIsLeftAloneAndSaidSo() {
        String host = "kind: Pod\nmetadata: {name: h}\nspec:\n  hostNetwork: true\n  containers: []\n";
        assertThat(injected(host)).isEqualTo(host);
        assertThat(result(host).notes())
                .containsExactly("Pod/h left alone: it uses the host's network, where interception"
                        + " would take every connection of the machine");
        String capital = host.replace("true", "True");
        assertThat(injected(capital)).as("the same in YAML").isEqualTo(capital);
        String off =
                "kind: Pod\nmetadata: {name: o, annotations: {linkerd.io/inject: disabled}}\nspec: {containers: []}\n";
        assertThat(injected(off)).isEqualTo(off);
    }
}
