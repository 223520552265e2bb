package io.parley.proxy.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parley.resource.Result;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class InjectorTest {
    private static final String DEPLOYMENT = """
        # the database
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: db   # as everybody calls it
        spec:
          replicas: 2
          template:
            metadata:
              labels: {app: db}
              annotations:
                # what it speaks
                config.linkerd.io/opaque-ports: "mysql,25,4320-4325"
                config.linkerd.io/skip-inbound-ports: "9000"
            spec:
              containers:
              - name: db
                image: mysql:8   # pinned
                ports:
                - {name: mysql, containerPort: 3306}
        ---
        kind: ConfigMap
        metadata: {name: untouched}
        """;

    @Test
    void everyLineOfTheManifestIsStillThereInItsOrder() {
        List<String> before = DEPLOYMENT.lines().toList();
        assertThat(injected(DEPLOYMENT).lines().toList()).containsSubsequence(before);
    }

    @Test
    void thePodGetsInterceptionAProxyAndItsEnvironment() {
        JsonNode spec = tree(injected(DEPLOYMENT)).at("/spec/template/spec");
        assertThat(spec.at("/initContainers/0/name").asText()).isEqualTo("parley-init");
        assertThat(spec.at("/initContainers/0/args").toString()).contains("4190,4191,4567,4568,9000");
        JsonNode proxy = spec.at("/initContainers/1");
        assertThat(proxy.at("/name").asText()).isEqualTo("parley-proxy");
        assertThat(proxy.at("/restartPolicy").asText()).isEqualTo("Always");
        assertThat(proxy.at("/env/1/name").asText()).isEqualTo("LINKERD2_PROXY_INBOUND_OPAQUE_PORTS");
        assertThat(proxy.at("/env/1/value").asText()).isEqualTo("25,3306,4320-4325");
        assertThat(spec.at("/volumes/0/secret/secretName").asText()).isEqualTo("parley-proxy");
        assertThat(spec.at("/containers/0/image").asText()).isEqualTo("mysql:8");
    }

    @Test
    void administratorsOfTheProxyHaveATokenOfTheSecret() {
        JsonNode proxy = tree(injected(DEPLOYMENT)).at("/spec/template/spec/initContainers/1");
        assertThat(proxy.at("/args").toString()).contains("--admin-token=/var/run/parley/admin.token");
        assertThat(proxy.at("/volumeMounts/0/mountPath").asText()).isEqualTo("/var/run/parley");
    }

    @Test
    void aProxyThatShallWaitBeforeItEndsIsToldForHowLong() {
        String pod = """
            kind: Pod
            metadata:
              name: p
              annotations: {config.alpha.linkerd.io/proxy-wait-before-exit-seconds: "%s"}
            spec:
              containers: [{name: app}]
            """;
        assertThat(tree(injected(pod.formatted("7")))
                        .at("/spec/initContainers/1/args")
                        .toString())
                .contains("\"--drain-delay=7s\"");
        assertThat(injected(DEPLOYMENT)).doesNotContain("--drain-delay");
        assertThat(Injector.inject(pod.formatted("a while"), InjectSettings.DEFAULT)
                        .toString())
                .contains("Rejected", "Pod/p config.alpha.linkerd.io/proxy-wait-before-exit-seconds", "a while");
    }

    @Test
    void interceptionIsSetUpByRootAlsoInAPodThatIsForOthersOnly() {
        JsonNode spec = tree(injected("""
            kind: Pod
            spec:
              securityContext: {runAsNonRoot: true, runAsUser: 1000}
              containers: [{name: app}]
            """)).at("/spec");
        JsonNode init = spec.at("/initContainers/0/securityContext");
        assertThat(init.at("/runAsUser").asInt(-1)).isZero();
        assertThat(init.at("/runAsNonRoot").asBoolean(true)).isFalse();
    }

    @Test
    void httpProbesGoToTheProxyWhichMayAskForThemAndNothingElse() {
        String text = injected("""
            kind: Pod
            metadata:
              annotations: {config.linkerd.io/skip-inbound-ports: "9000"}
            spec:
              containers:
              - name: app
                ports: [{name: web, containerPort: 8080}]
                livenessProbe:
                  httpGet:
                    path: /healthz?full=1  # all of it
                    port: web
                readinessProbe: {httpGet: {port: 8081}, periodSeconds: 3}
                startupProbe:
                  httpGet: {path: '/up', port: "9000"}
              - name: other
                livenessProbe:
                  tcpSocket: {port: 8080}
                readinessProbe:
                  httpGet: {path: /tls, port: 8443, scheme: HTTPS}
            """);
        JsonNode spec = tree(text).at("/spec");
        JsonNode app = spec.at("/containers/0");
        assertThat(app.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/probe/8080/healthz?full=1");
        assertThat(app.at("/livenessProbe/httpGet/port").asInt()).isEqualTo(4191);
        assertThat(app.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/probe/8081/");
        assertThat(app.at("/readinessProbe/httpGet/port").asInt()).isEqualTo(4191);
        assertThat(app.at("/readinessProbe/periodSeconds").asInt()).isEqualTo(3);
        assertThat(app.at("/startupProbe/httpGet/port").asText())
                .as("not intercepted")
                .isEqualTo("9000");
        assertThat(spec.at("/containers/1/livenessProbe/tcpSocket/port").asInt())
                .isEqualTo(8080);
        assertThat(spec.at("/containers/1/readinessProbe/httpGet/port").asInt()).isEqualTo(8443);
        assertThat(spec.at("/initContainers/1/args").toString())
                .contains("\"--probe=8080/healthz?full=1\",\"--probe=8081/\"]");
        assertThat(text).contains("# all of it");
        assertThat(injected(text)).isEqualTo(text);
    }

    @Test
    void aProbeThatTwoShareIsTurnedOnce() {
        JsonNode spec = tree(injected("""
            kind: Pod
            spec:
              containers:
              - name: one
                livenessProbe: &probe
                  httpGet: {path: /healthz, port: 8080}
              - name: two
                livenessProbe: *probe
            """)).at("/spec");
        assertThat(spec.at("/containers/1/livenessProbe/httpGet/path").asText()).isEqualTo("/probe/8080/healthz");
    }

    @Test
    void case44_mapsThatAreMissingAreMadeAndASecondTimeChangesNothing() {
        String once = injected("""
            kind: Pod
            spec:
              containers:
              - name: app
            """);
        assertThat(tree(once).at("/metadata/annotations/parley.io~1injected").asText())
                .isEqualTo("true");
        assertThat(injected(once)).isEqualTo(once);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"})
    void everyKindThatMakesPodsIsInjected(String kind) {
        String text = injected(DEPLOYMENT.replace("kind: Deployment", "kind: " + kind));
        assertThat(tree(text).at("/spec/template/spec/initContainers")).hasSize(2);
        assertThat(injected(text)).isEqualTo(text);
    }

    @Test
    void podsThatAreDeeperOrHigherAreInjectedToo() {
        String job = injected("""
            kind: CronJob
            metadata: {name: nightly}
            spec:
              jobTemplate:
                spec:
                  template:
                    spec:
                      containers: [{name: app}]
            """);
        assertThat(tree(job).at("/spec/jobTemplate/spec/template/spec/initContainers"))
                .hasSize(2);
        String template = injected("kind: PodTemplate\ntemplate:\n  spec:\n    containers: [{name: app}]\n");
        assertThat(tree(template).at("/template/spec/initContainers")).hasSize(2);
    }

    @Test
    void aListOfOneKindNeedNotRepeatIt() {
        String text = injected("""
            kind: PodList
            items:
            # the first
            - metadata: {name: a}
              spec:
                containers: [{name: app}]
            - metadata: {name: b}
              spec:
                containers: [{name: app}]
            """);
        assertThat(tree(text).at("/items/0/spec/initContainers")).hasSize(2);
        assertThat(tree(text).at("/items/1/spec/initContainers")).hasSize(2);
        assertThat(text).contains("# the first");
        assertThat(injected(text)).isEqualTo(text);
    }

    /** As some tools write it: a key a second time would be no YAML. */
    @ParameterizedTest
    @ValueSource(strings = {"", " null", " ~"})
    void keysWithoutAValueGetOne(String nothing) {
        String text = injected("""
            kind: Pod
            metadata:
              name: a
              annotations:%s
              labels: {app: a}   # kept
            spec:
              initContainers:%s
              volumes:%s
              containers: [{name: app}]
            """.formatted(nothing, nothing, nothing));
        JsonNode pod = tree(text);
        assertThat(pod.at("/metadata/annotations/parley.io~1injected").asText()).isEqualTo("true");
        assertThat(pod.at("/metadata/labels/app").asText()).isEqualTo("a");
        assertThat(pod.at("/spec/initContainers")).hasSize(2);
        assertThat(pod.at("/spec/volumes")).hasSize(1);
        assertThat(text).contains("# kept");
        assertThat(injected(text)).isEqualTo(text);
    }

    @Test
    void aTemplateThatTwoShareIsInjectedOnce() {
        Injected both = result("""
            kind: List
            items:
            - kind: Deployment
              metadata: {name: a}
              spec:
                template: &shared
                  spec:
                    containers: [{name: app}]
            - kind: Deployment
              metadata: {name: b}
              spec:
                template: *shared
            """);
        assertThat(tree(both.text()).at("/items/0/spec/template/spec/initContainers"))
                .hasSize(2);
        assertThat(tree(both.text()).at("/items/1/spec/template/spec/initContainers"))
                .hasSize(2);
        assertThat(both.notes())
                .containsExactly(
                        "Deployment/a injected", "Deployment/b injected with the template that it shares by an alias");
    }

    @Test
    void jsonStaysJson() throws Exception {
        String text = injected("""
            {"kind": "List", "items": [
              {"kind": "Pod", "metadata": {"name": "a", "annotations": {}}, "spec": {"containers": [{"name": "a"}]}},
              {"kind": "Pod", "metadata": {"name": "b"}, "spec": {"initContainers": [{"name": "first"}], "containers": []}}]}
            """);
        JsonNode list = new ObjectMapper().readTree(text);
        assertThat(list.at("/items/0/spec/initContainers")).hasSize(2);
        assertThat(list.at("/items/1/spec/initContainers/2/name").asText()).isEqualTo("first");
    }

    @Test
    void aPortThatIsNoneIsRefusedWithItsPlace() {
        Result<Injected> result =
                Injector.inject(DEPLOYMENT.replace("mysql,25", "mysql,nosuch"), InjectSettings.DEFAULT);
        assertThat(result.toString())
                .contains("Rejected")
                .contains("Deployment/db")
                .contains("nosuch");
        assertThat(Injector.inject("a: [", InjectSettings.DEFAULT)).isInstanceOf(Result.Rejected.class);
    }

    /** As Kubernetes has them: SnakeYAML takes each for the sign of a key. */
    @Test
    void questionMarksInBracesArePartsOfTexts() {
        String pod = """
            kind: Pod
            metadata: {name: why?not, annotations: {?a: b}}
            spec: {containers: [{name: app, args: [--url=http://x/?a=b, ?c, d?, a\\?b, "?e", 'f?'], livenessProbe:
              {httpGet: {path: /up?full=1, port: 80}}}]}
            """;
        Injected injected = result(pod);
        assertThat(injected.notes()).contains("Pod/why?not injected");
        assertThat(injected.text())
                .contains("args: [--url=http://x/?a=b, ?c, d?, a\\?b, \"?e\", 'f?']", "\"parley-init\"")
                .contains("/up?full=1", "{\"parley.io/injected\": \"true\", ?a: b}")
                .doesNotContain("\uE000");
        assertThat(result(injected.text()).text()).as("a second time").isEqualTo(injected.text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: Pod\nspec:\n  ? containers\n  : - name: app\n",
                "kind: Pod\nspec:\n  ?\n    containers\n  : - name: app\n",
                "? kind\n: Pod\n? spec\n: containers: [{name: app}]\n",
                "kind: Pod\nspec: {initContainers, containers: [{name: app}]}\n",
                "kind: Pod\nspec:\n  containers: [{name: app}]\n  ? initContainers\n",
            })
    void keysAsNobodyWritesThemAreRefusedAndNotSpoiled(String pod) {
        assertThat(Injector.inject(pod, InjectSettings.DEFAULT).toString())
                .contains("Rejected", "line ", "(expected: key: value)");
    }

    @Test
    void aCommentThatAsksIsNoSignOfAKey() {
        String pod = "kind: Pod\nspec: # why ?\n  # is it so?\n  containers:\n  - name: app?\n    image: x\n";
        assertThat(tree(injected(pod)).at("/spec/initContainers/1/name").asText())
                .isEqualTo("parley-proxy");
        assertThat(tree(injected("kind: Pod\nspec: {? containers : [{name: app}]}\n"))
                        .at("/spec/containers/0/name")
                        .asText())
                .isEqualTo("app");
    }

    static String injected(String text) {
        return result(text).text();
    }

    static Injected result(String text) {
        return switch (Injector.inject(text, InjectSettings.DEFAULT)) {
            case Result.Accepted<Injected>(var value) -> value;
            case Result.Rejected<Injected>(var violations) -> throw new AssertionError(violations);
        };
    }

    private static JsonNode tree(String text) {
        Object first = new Yaml(new SafeConstructor(new LoaderOptions()))
                .loadAll(text)
                .iterator()
                .next();
        return new ObjectMapper().valueToTree(first);
    }
}
