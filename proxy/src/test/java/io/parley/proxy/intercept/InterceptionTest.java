package io.parley.proxy.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortSet;
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
    void theScriptCoversBothFamilies() {
        assertThat(new Interception(4143, 4140, 2102, PortSet.EMPTY, PortSet.EMPTY).script())
                .startsWith("#!/bin/sh\nset -eu\nfor tables in iptables ip6tables; do\n")
                .endsWith("done\n");
    }

    private static PortSet ports(String text) {
        return PortList.parse(text).ports();
    }
}
