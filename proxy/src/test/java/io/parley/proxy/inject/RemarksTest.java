package io.parley.proxy.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Result;
import org.junit.jupiter.api.Test;

/** What is said of manifests that are not, or not wholly, understood. */
class RemarksTest {
    @Test
    void hooksThatAKubeletCallsAreRemarkedOnUnlessTheirPortIsSkipped() {
        Injected injected = accepted("""
            kind: Pod
            metadata:
              name: p
              annotations: {config.linkerd.io/skip-inbound-ports: "9000"}
            spec:
              containers:
              - name: app
                ports: [{name: web, containerPort: 8008}]
                lifecycle:
                  preStop: {httpGet: {port: web, path: /stop}}
                  postStart: {httpGet: {port: 9000}}
              - name: other
                lifecycle:
                  preStop: {exec: {command: [stop]}}
            """);
        assertThat(injected.notes())
                .containsExactly(
                        "Pod/p injected",
                        "Pod/p lifecycle.preStop left as it is: kubelets are no members of the mesh; where only members"
                                + " may connect it fails (expected: exec, or its port among"
                                + " config.linkerd.io/skip-inbound-ports)");
        assertThat(injected.text()).contains("preStop: {httpGet: {port: web, path: /stop}}");
    }

    @Test
    void aWorkloadWithoutAPodIsRemarkedOn() {
        assertThat(accepted("kind: Deployment\nmetadata: {name: d}\nspec: {replicas: 1}\n")
                        .notes())
                .containsExactly("Deployment/d left alone: it has no spec.template.spec");
        assertThat(accepted("kind: Pod\nmetadata: {name: p}\n").notes())
                .containsExactly("Pod/p left alone: it has no spec");
    }

    @Test
    void aTemplateThatIsNotRenderedIsLeftAloneAndRemarkedOn() {
        String template = """
            kind: ConfigMap
            ---
            kind: Deployment
            metadata:
              name: {{ .Values.x }}
            spec:
              template:
                spec:
                  containers: [{name: app}]
            """;
        Injected injected = accepted(template);
        assertThat(injected.text()).isEqualTo(template);
        assertThat(injected.notes())
                .containsExactly("what begins in line 3 left alone: it has {{ … }} of a template (expected: as helm"
                        + " template renders it)");
    }

    @Test
    void documentsThatAreNoManifestsAreRemarkedOnAndEmptyOnesAreNot() {
        assertThat(accepted("---\n---\njust words\n---\nname: a\n").notes())
                .containsExactly(
                        "what begins in line 3 left alone: it is no object",
                        "what begins in line 5 left alone: it has no kind");
    }

    @Test
    void whatIsNoYamlIsRefusedInOneLineWithItsPlace() {
        assertThat(Injector.inject("kind: Pod\n{{- if .Values.x }}\nspec: {}\n", InjectSettings.DEFAULT))
                .isInstanceOfSatisfying(
                        Result.Rejected.class,
                        rejected -> assertThat(rejected.violations().toString())
                                .contains("line 3, column 1: ", "helm template")
                                .hasLineCount(1));
    }

    @Test
    void linesEndAsTheyDoInTheRestOfTheFile() {
        String text = accepted("""
            kind: Pod
            metadata:
              name: p
            spec:
              containers:
              - name: app
            """.replace("\n", "\r\n")).text();
        assertThat(text).contains("parley-proxy");
        assertThat(text.replace("\r\n", "")).doesNotContain("\n").doesNotContain("\r");
    }

    private static Injected accepted(String text) {
        return switch (Injector.inject(text, InjectSettings.DEFAULT)) {
            case Result.Accepted<Injected>(var value) -> value;
            case Result.Rejected<Injected>(var violations) -> throw new AssertionError(violations);
        };
    }
}
