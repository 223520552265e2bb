package io.parley.xds.client.resource;

import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What every client expects of a set of endpoints (gRPC A27, case C28). */
public final class EndpointRules {
    private static final int MAX_PORT = 65_535;

    private EndpointRules() {}

    /** Everything that is wrong with the assignment. */
    public static List<String> violations(ClusterLoadAssignment assignment) {
        List<String> violations = new ArrayList<>();
        Set<Integer> priorities = new TreeSet<>();
        Set<Place> places = new HashSet<>();
        for (int i = 0; i < assignment.getEndpointsCount(); i++) {
            LocalityLbEndpoints group = assignment.getEndpoints(i);
            String path = "endpoints[" + i + "]";
            priorities.add(group.getPriority());
            if (!places.add(new Place(group.getPriority(), group.getLocality()))) {
                violations.add(
                        path + ".locality: given twice (expected: once for priority " + group.getPriority() + ")");
            }
            for (int j = 0; j < group.getLbEndpointsCount(); j++) {
                check(group.getLbEndpoints(j), path + ".lb_endpoints[" + j + "]", violations);
            }
        }
        int expected = 0;
        for (int priority : priorities) {
            if (priority != expected++) {
                violations.add("endpoints: priorities " + priorities + " (expected: 0 and on without a gap)");
                break;
            }
        }
        return violations;
    }

    private static void check(LbEndpoint endpoint, String path, List<String> violations) {
        Address address = endpoint.getEndpoint().getAddress();
        if (!address.hasSocketAddress()) {
            violations.add(path + ".endpoint.address: " + address.getAddressCase() + " (expected: a socket address)");
            return;
        }
        SocketAddress socket = address.getSocketAddress();
        if (!isIpLiteral(socket.getAddress())) {
            violations.add(path + ".endpoint.address.socket_address.address: " + socket.getAddress()
                    + " (expected: an IP address)");
        }
        if (socket.getPortValue() < 0 || socket.getPortValue() > MAX_PORT) {
            violations.add(path + ".endpoint.address.socket_address.port_value: "
                    + Integer.toUnsignedString(socket.getPortValue()) + " (expected: at most " + MAX_PORT + ")");
        }
    }

    private static boolean isIpLiteral(String text) {
        try {
            return !InetAddress.ofLiteral(text).getHostAddress().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private record Place(int priority, Locality locality) {}
}
