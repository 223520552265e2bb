package io.parley.proxy.intercept;

import io.parley.agreement.port.PortRange;
import io.parley.agreement.port.PortSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Which connections the kernel brings to the proxy.
 *
 * @param inbound the proxy's port for connections to the application
 * @param outbound the proxy's port for connections from the application
 * @param proxyUser the user that the proxy runs as, whose own connections are left alone
 * @param skipInbound ports of the application that are not intercepted; the proxy's admin port must be among them
 * @param skipOutbound ports elsewhere to which connections are not intercepted
 */
public record Interception(int inbound, int outbound, int proxyUser, PortSet skipInbound, PortSet skipOutbound) {
    /** A rule of the kernel's multiport match has this many places; a range takes two. */
    private static final int PLACES = 15;

    private static final String IN = "PROXY_INIT_REDIRECT";
    private static final String OUT = "PROXY_INIT_OUTPUT";

    /** Which addresses rules are for. */
    public enum Families {
        IPV4("iptables"),
        IPV4_AND_IPV6("iptables ip6tables");

        private final String programs;

        Families(String programs) {
            this.programs = programs;
        }
    }

    /** A shell script that makes the rules, and may be run again when they are there already, whatever they were. */
    public String script(Families families) {
        return script(families, commands("$tables"));
    }

    /** A shell script that takes the rules away, whatever they were, and may be run when there are none. */
    public static String undoing(Families families) {
        List<String> commands = new ArrayList<>();
        String nat = "$tables -w -t nat";
        // Who may not change rules, or has no program for it, must hear of it: below, a failure means that there is no
        // such rule.
        commands.add(nat + " -S >/dev/null");
        remove(nat, "PREROUTING", IN, commands);
        remove(nat, "OUTPUT", OUT, commands);
        return script(families, commands);
    }

    private static String script(Families families, List<String> commands) {
        StringBuilder script = new StringBuilder("#!/bin/sh\nset -eu\nfor tables in " + families.programs + "; do\n");
        commands.forEach(command -> script.append("  ").append(command).append('\n'));
        return script.append("done\n").toString();
    }

    /** The same as single commands of the shell, for one family of addresses. */
    public List<String> commands(String tables) {
        String nat = tables + " -w -t nat";
        List<String> commands = new ArrayList<>();
        freshChain(nat, IN, commands);
        for (String ports : groups(skipInbound)) {
            commands.add(nat + " -A " + IN + " -p tcp -m multiport --dports " + ports + " -j RETURN");
        }
        commands.add(nat + " -A " + IN + " -p tcp -j REDIRECT --to-ports " + inbound);
        jump(nat, "PREROUTING", IN, commands);

        freshChain(nat, OUT, commands);
        commands.add(nat + " -A " + OUT + " -m owner --uid-owner " + proxyUser + " -j RETURN");
        commands.add(nat + " -A " + OUT + " -o lo -j RETURN");
        for (String ports : groups(skipOutbound)) {
            commands.add(nat + " -A " + OUT + " -p tcp -m multiport --dports " + ports + " -j RETURN");
        }
        commands.add(nat + " -A " + OUT + " -p tcp -j REDIRECT --to-ports " + outbound);
        jump(nat, "OUTPUT", OUT, commands);
        return commands;
    }

    private static void freshChain(String nat, String chain, List<String> commands) {
        commands.add(nat + " -N " + chain + " 2>/dev/null || " + nat + " -F " + chain);
    }

    private static void jump(String nat, String from, String chain, List<String> commands) {
        commands.add(nat + " -C " + from + " -j " + chain + " 2>/dev/null || " + nat + " -A " + from + " -j " + chain);
    }

    private static void remove(String nat, String from, String chain, List<String> commands) {
        commands.add("while " + nat + " -D " + from + " -j " + chain + " 2>/dev/null; do :; done");
        commands.add("if " + nat + " -F " + chain + " 2>/dev/null; then " + nat + " -X " + chain + "; fi");
    }

    private static List<String> groups(PortSet ports) {
        List<String> groups = new ArrayList<>();
        StringBuilder group = new StringBuilder();
        int taken = 0;
        for (PortRange range : ports.ranges()) {
            int places = range.first() == range.last() ? 1 : 2;
            if (taken + places > PLACES) {
                groups.add(group.toString());
                group.setLength(0);
                taken = 0;
            }
            group.append(taken == 0 ? "" : ",").append(range.toString().replace('-', ':'));
            taken += places;
        }
        if (taken > 0) {
            groups.add(group.toString());
        }
        return groups;
    }
}
