package io.parley.xds.client;

import io.parley.agreement.version.FeatureTable;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.XdsVersions;
import io.parley.xds.client.loop.Backoff;
import io.parley.xds.type.ApiVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a client behaves.
 *
 * @param versions the versions of xDS that it may speak
 * @param agent who it says it is
 * @param clientFeatures what it tells the server that it can do, beside what the client itself can
 */
public record ClientSettings(
        Bootstrap bootstrap,
        Variant variant,
        FeatureTable<ApiVersion> versions,
        Agent agent,
        List<String> clientFeatures,
        Backoff backoff) {
    /** How long a resource may take until it counts as absent (gRPC A57). */
    static final Duration RESOURCE_TIMEOUT = Duration.ofSeconds(15);
    /** How long it may take from a server whose silence means that it is slow (gRPC A88). */
    static final Duration PATIENT_RESOURCE_TIMEOUT = Duration.ofSeconds(30);

    public ClientSettings {
        clientFeatures = List.copyOf(clientFeatures);
    }

    /** Name and version of the program, as servers see them. */
    public record Agent(String name, String version) {}

    /** State of the world, in the version that the bootstrap and the environment say. */
    public static ClientSettings of(Bootstrap bootstrap, Map<String, String> environment, Agent agent) {
        return new ClientSettings(
                bootstrap, Variant.SOTW, XdsVersions.in(environment), agent, List.of(), Backoff.DEFAULT);
    }

    public ClientSettings with(Variant newVariant) {
        return new ClientSettings(bootstrap, newVariant, versions, agent, clientFeatures, backoff);
    }
}
