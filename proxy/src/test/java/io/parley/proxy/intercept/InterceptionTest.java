package io.parley.proxy.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortSet;
import io.parley.proxy.intercept.Interception.Families;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InterceptionTest {
    @Test
    void case43_theRules() {
        var rules = new Interception(4143, 4140, 2102, ports("4190,4191,4567,4568"), ports("4567,4568,8000-8010"));
        assertThat(rules.commands("iptables"))
                .containsExactly(
                        "iptables -w -t nat -N PROXY_INIT_REDIRECT 2>/dev/null || iptables -w -t nat -F"
                                + " PROXY_INIT_REDIRECT",
                        "iptables -w -t nat -A PROXY_INIT_REDIRECT -p tcp -m multiport --dports 4190:4191,4567:4568 -j"
                                + " RETURN",
                        "iptables -w -t nat -A PROXY_INIT_REDIRECT -p tcp -j REDIRECT --to-ports 4143",
                        "iptables -w -t nat -C PREROUTING -j PROXY_INIT_REDIRECT 2>/dev/null"
                                + " || iptables -w -t nat -A PREROUTING -j PROXY_INIT_REDIRECT",
                        "iptables -w -t nat -N PROXY_INIT_OUTPUT 2>/dev/null || iptables -w -t nat -F"
                                + " PROXY_INIT_OUTPUT",
                        "iptables -w -t nat -A PROXY_INIT_OUTPUT -m owner --uid-owner 2102 -j RETURN",
                        "iptables -w -t nat -A PROXY_INIT_OUTPUT -o lo -j RETURN",
                        "iptables -w -t nat -A PROXY_INIT_OUTPUT -p tcp -m multiport"
                                + " --dports 4567:4568,8000:8010 -j RETURN",
                        "iptables -w -t nat -A PROXY_INIT_OUTPUT -p tcp -j REDIRECT --to-ports 4140",
                        "iptables -w -t nat -C OUTPUT -j PROXY_INIT_OUTPUT 2>/dev/null"
                                + " || iptables -w -t nat -A OUTPUT -j PROXY_INIT_OUTPUT");
    }

    @Test
    void case43_sixteenPortsTakeTwoRules() {
        String sixteen =
                IntStream.range(0, 16).mapToObj(i -> "" + (100 + 2 * i)).collect(Collectors.joining(","));
        List<String> commands = new Interception(4143, 4140, 2102, ports(sixteen), PortSet.EMPTY).commands("iptables");
        assertThat(commands).filteredOn(command -> command.contains("--dports")).hasSize(2);
    }

    @Test
    void theScriptIsForTheFamiliesThatAreAskedFor() {
        Interception rules = new Interception(4143, 4140, 2102, PortSet.EMPTY, PortSet.EMPTY);
        assertThat(rules.script(Families.IPV4_AND_IPV6))
                .startsWith("#!/bin/sh\nset -eu\nfor tables in iptables ip6tables; do\n")
                .endsWith("done\n");
        assertThat(rules.script(Families.IPV4)).contains("for tables in iptables; do\n");
    }

    /** In a network of its own, by the kernel's own account of its rules. */
    @Test
    void rulesMayBeMadeTwiceReplacedAndTakenAwayTwice() throws Exception {
        String show = "for t in iptables ip6tables; do $t -t nat -S; done";
        assumeTrue(run(show).code == 0, "needs root, iptables and a kernel that allows network namespaces");
        Interception rules = new Interception(4143, 4140, 2102, ports("4190,4191"), ports("4567"));
        Interception others = new Interception(5143, 5140, 2103, ports("4191"), PortSet.EMPTY);
        String none = output(show);
        String once = output(rules.script(Families.IPV4_AND_IPV6) + show);
        String other = output(others.script(Families.IPV4_AND_IPV6) + show);

        assertThat(once).contains("--to-ports 4143", "--to-ports 4140", "--uid-owner 2102");
        assertThat(output(rules.script(Families.IPV4_AND_IPV6) + rules.script(Families.IPV4_AND_IPV6) + show))
                .isEqualTo(once);
        assertThat(output(rules.script(Families.IPV4_AND_IPV6) + others.script(Families.IPV4_AND_IPV6) + show))
                .isEqualTo(other);
        String undo = Interception.undoing(Families.IPV4_AND_IPV6);
        assertThat(output(rules.script(Families.IPV4_AND_IPV6) + undo + show)).isEqualTo(none);
        assertThat(output(undo + undo + show)).isEqualTo(none);
    }

    private record Outcome(int code, String output) {}

    private static String output(String script) throws IOException, InterruptedException {
        Outcome outcome = run(script);
        assertThat(outcome.code).as(outcome.output).isZero();
        return outcome.output;
    }

    private static Outcome run(String script) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder("unshare", "--net", "sh", "-ec", script)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (IOException e) {
            return new Outcome(127, String.valueOf(e.getMessage()));
        }
    }

    private static PortSet ports(String text) {
        return PortList.parse(text).ports();
    }
}
