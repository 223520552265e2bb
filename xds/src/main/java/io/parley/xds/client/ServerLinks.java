package io.parley.xds.client;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.agreement.version.VersionChoice;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.ServerLink.Owner;
import io.parley.xds.client.transport.LastingStream.Retrying;
import io.parley.xds.client.transport.Transport;
import io.parley.xds.client.transport.TransportFactory;
import io.parley.xds.type.ApiVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The links of a client, one for each server however many authorities name it. */
final class ServerLinks {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLinks.class);

    private final ClientSettings settings;
    private final TransportFactory transports;
    private final Retrying retrying;
    private final Map<XdsServer.Identity, ServerLink<?, ?>> links = new LinkedHashMap<>();

    ServerLinks(ClientSettings settings, TransportFactory transports, Retrying retrying) {
        this.settings = settings;
        this.transports = transports;
        this.retrying = retrying;
    }

    ServerLink<?, ?> link(XdsServer server, Owner owner) {
        return links.computeIfAbsent(server.identity(), identity -> connect(server, owner));
    }

    /** Closes the links that are not needed; whether there were any. */
    boolean closeAllBut(Predicate<ServerLink<?, ?>> needed) {
        return links.values().removeIf(link -> {
            boolean unneeded = !needed.test(link);
            if (unneeded) {
                link.close();
            }
            return unneeded;
        });
    }

    private ServerLink<?, ?> connect(XdsServer server, Owner owner) {
        return switch (settings.versions().choose(server.features())) {
            case VersionChoice.Agreed<ApiVersion>(var decision) -> {
                LOG.info("Speaks xDS with {}: {}", server.uri(), decision);
                yield link(server, owner, decision.value(), transports.connect(server));
            }
            case VersionChoice.NothingInCommon<ApiVersion>(String because) ->
                link(server, owner, settings.versions().window().preferred(), new RefusedTransport(because));
        };
    }

    private ServerLink<?, ?> link(XdsServer server, Owner owner, ApiVersion version, Transport transport) {
        Node node = NodeIdentity.discovery(settings, version);
        return switch (settings.variant()) {
            case SOTW -> new ServerLink<>(server, new SotwDialogue(version, node), transport, owner, retrying);
            case DELTA -> new ServerLink<>(server, new DeltaDialogue(version, node), transport, owner, retrying);
        };
    }
}
