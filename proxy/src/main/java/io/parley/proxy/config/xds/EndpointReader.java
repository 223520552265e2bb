package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.core.v3.HealthStatus;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.xds.SocketAddresses.Names;
import io.parley.wire.header.HeaderMagic;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the endpoints of a cluster: those that are well, of the first priority that has any. */
final class EndpointReader {
    private EndpointReader() {}

    static List<ReadEndpoint> read(ClusterLoadAssignment assignment, Reading reading) {
        return read(assignment, Names.REFUSED, "", reading);
    }

    static List<ReadEndpoint> read(ClusterLoadAssignment assignment, Names names, String path, Reading reading) {
        SortedMap<Integer, List<ReadEndpoint>> byPriority = new TreeMap<>();
        for (int i = 0; i < assignment.getEndpointsCount(); i++) {
            LocalityLbEndpoints place = assignment.getEndpoints(i);
            for (int j = 0; j < place.getLbEndpointsCount(); j++) {
                String at = (path.isEmpty() ? "" : path + ".") + "endpoints[" + i + "].lb_endpoints[" + j + "]";
                ReadEndpoint endpoint = read(place.getLbEndpoints(j), names, at, reading);
                if (isWell(place.getLbEndpoints(j).getHealthStatus())) {
                    byPriority
                            .computeIfAbsent(place.getPriority(), _ -> new ArrayList<>())
                            .add(endpoint);
                }
            }
        }
        return byPriority.values().stream().findFirst().orElse(List.of());
    }

    private static boolean isWell(HealthStatus status) {
        return status == HealthStatus.UNKNOWN || status == HealthStatus.HEALTHY || status == HealthStatus.DEGRADED;
    }

    private static ReadEndpoint read(LbEndpoint endpoint, Names names, String path, Reading reading) {
        Extras extras = Extras.of(endpoint.getMetadata(), path);
        InetSocketAddress address =
                SocketAddresses.read(endpoint.getEndpoint().getAddress(), names, path + ".endpoint.address", reading);
        // Behind another zone's ingress: the address is the ingress's, the port that the header names is not.
        int target = address.isUnresolved() ? 0 : extras.port("target_port", reading);
        return new ReadEndpoint(
                target == 0 ? address : new InetSocketAddress(address.getAddress(), target),
                target == 0 ? extras.port("inbound_port", reading) : address.getPort(),
                identity(extras, reading),
                extras.textOr("server_name", "", reading),
                magic(extras, reading),
                extras.text("name", reading),
                hint(extras, reading),
                endpoint.hasLoadBalancingWeight()
                        ? endpoint.getLoadBalancingWeight().getValue()
                        : 1);
    }

    private static @Nullable SpiffeId identity(Extras extras, Reading reading) {
        String text = extras.text("identity", reading);
        try {
            return text == null ? null : SpiffeId.parse(text);
        } catch (IllegalArgumentException e) {
            reading.fail(extras.path() + ".identity", String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static HeaderMagic magic(Extras extras, Reading reading) {
        String text = extras.textOr("magic", "v1", reading);
        if (!text.equals("v1") && !text.equals("document")) {
            reading.fail(extras.path() + ".magic", text + " (expected: v1 or document)");
        }
        return text.equals("document") ? HeaderMagic.DOCUMENT : HeaderMagic.SHIPPED;
    }

    private static Protocol hint(Extras extras, Reading reading) {
        String text = extras.textOr("hint", Protocol.DETECT.toString(), reading);
        return Stream.of(Protocol.values())
                .filter(protocol -> protocol.toString().equals(text))
                .findFirst()
                .orElseGet(() -> {
                    reading.fail(
                            extras.path() + ".hint", text + " (expected: one of " + List.of(Protocol.values()) + ")");
                    return Protocol.DETECT;
                });
    }
}
