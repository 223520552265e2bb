package io.parley.control.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.testing.Worlds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VirtualNamesTest {
    private static final String ORDERS = """
        ---
        type: Dataplane
        mesh: default
        name: orders-%1$s
        networking:
          address: 10.1.0.1
          inbound: [{port: 8080, tags: {kuma.io/service: orders, version: v%1$s}}]
        """;

    @Test
    void eachCombinationOfTagsHasANameWithTwoAddresses() {
        VirtualNames names = mesh(byVersion("a", "{{.version}}.{{.service}}.mesh")
                        + ORDERS.formatted(1)
                        + ORDERS.formatted(2))
                .virtualNames();
        assertThat(names.all()).hasSize(2);
        VirtualNames.Name second = names.find("v2.orders.mesh", Optional.of(80)).orElseThrow();
        assertThat(second.called().service()).isEqualTo("orders");
        assertThat(second.subset()).isEqualTo(Map.of("version", "v2"));
        assertThat(second.address()).startsWith("24");
        assertThat(second.loopback()).startsWith("127.");
        assertThat(names.find(second.address(), Optional.of(80))).contains(second);
        assertThat(names.find("v2.orders.mesh", Optional.of(81))).isEmpty();
        assertThat(names.problems()).isEmpty();
    }

    @Test
    void aNameForTwoThingsIsTheFirstsAndTheOtherIsShown() {
        VirtualNames names = mesh(byVersion("a", "{{.service}}.mesh") + ORDERS.formatted(1) + ORDERS.formatted(2))
                .virtualNames();
        assertThat(names.all()).hasSize(1);
        assertThat(names.all().getFirst().subset()).isEqualTo(Map.of("version", "v1"));
        assertThat(names.problems()).hasSize(1).first().asString().contains("orders.mesh:80", "v2", "is taken");
    }

    @Test
    void addressesAreOneForEachNameAndStayWhenOthersComeAndGo() {
        List<String> hosts = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            hosts.add("service-" + i + ".mesh");
        }
        for (VirtualAddresses range : VirtualAddresses.values()) {
            Map<String, String> all = range.of(hosts);
            assertThat(new HashSet<>(all.values())).hasSize(hosts.size());
            Map<String, String> half = range.of(hosts.subList(0, 10_000));
            long moved = half.entrySet().stream()
                    .filter(each -> !each.getValue().equals(all.get(each.getKey())))
                    .count();
            assertThat(moved).as(range.name()).isLessThan(100);
        }
    }

    @Test
    void whoGivesWayTakesNobodysPlace() {
        List<String> hosts = new Random(1)
                .longs(50_000)
                .mapToObj(number -> Long.toHexString(number) + ".mesh")
                .toList();
        Map<String, String> first = new HashMap<>();
        hosts.stream()
                .sorted()
                .forEach(host ->
                        VirtualAddresses.LOOPBACK.natural(host).ifPresent(address -> first.putIfAbsent(address, host)));
        long falling = hosts.stream()
                .flatMap(host -> VirtualAddresses.LOOPBACK.natural(host).stream())
                .count();
        assertThat(falling - first.size())
                .as("of these some fall on one address")
                .isGreaterThan(100);

        Map<String, String> all = VirtualAddresses.LOOPBACK.of(hosts);

        assertThat(new HashSet<>(all.values())).hasSize(hosts.size());
        first.forEach((address, host) -> assertThat(all).containsEntry(host, address));
    }

    @Test
    void whatIsNoTemplateOrNamesNoServiceIsRefused() {
        assertThat(refusal("{{.service | lower}}.mesh", "kuma.io/service")).contains("conf.host", "{{.PARAMETER}}");
        assertThat(refusal("{{.other}}.mesh", "kuma.io/service")).contains("{{.other}}", "[service]");
        assertThat(refusal("{{.service}}.mesh", "app")).contains("conf.parameters", "kuma.io/service");
    }

    private static String refusal(String host, String tag) {
        Model model = Worlds.model("""
            type: VirtualOutbound
            mesh: default
            name: a
            selectors: [{match: {kuma.io/service: "*"}}]
            conf: {host: "%s", port: "80", parameters: [{name: service, tagKey: %s}]}
            """.formatted(host, tag));
        return model.refusals().values().getFirst().violations().toString();
    }

    private static String byVersion(String name, String host) {
        return """
            type: VirtualOutbound
            mesh: default
            name: %s
            selectors: [{match: {kuma.io/service: "*", version: "*"}}]
            conf:
              host: "%s"
              port: "80"
              parameters: [{name: service, tagKey: kuma.io/service}, {name: version}]
            """.formatted(name, host);
    }

    private static MeshModel mesh(String yaml) {
        return Worlds.mesh(yaml);
    }
}
