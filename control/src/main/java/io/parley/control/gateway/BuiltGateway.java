package io.parley.control.gateway;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.model.DataName;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.Texts;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.route.Target;
import io.parley.control.gateway.xds.BoundRoute;
import io.parley.control.gateway.xds.Clusters;
import io.parley.control.gateway.xds.GatewayMessages;
import io.parley.control.gateway.xds.GatewayWriter;
import io.parley.control.gateway.xds.Pieces;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one gateway is told, as bytes. What did not change since the last time is not made again. Confined to one thread. */
final class BuiltGateway {
    private Map<Target, EncodedResource> clusters = Map.of();
    private Map<Target, EncodedResource> endpoints = Map.of();
    private Set<Name> services = Set.of();
    private @Nullable Name certificate;
    private Snapshot snapshot = Snapshot.EMPTY;
    private long encoded;

    Snapshot snapshot() {
        return snapshot;
    }

    /** How many messages became bytes so far. */
    long encoded() {
        return encoded;
    }

    /** Makes all of it that is not there yet. */
    void write(World world, CheckedGateway gateway, List<BoundRoute> routes, Pieces pieces, Set<Name> touched) {
        GatewayMessages messages = GatewayWriter.write(gateway, routes, pieces);
        boolean sameCertificate = Objects.equals(certificate, gateway.backendCertificate());
        certificate = gateway.backendCertificate();
        Map<Target, EncodedResource> newClusters = new HashMap<>();
        Map<Target, EncodedResource> newEndpoints = new HashMap<>();
        for (Target target : messages.targets()) {
            EncodedResource cluster = sameCertificate ? clusters.get(target) : null;
            newClusters.put(target, cluster == null ? encode(Clusters.of(target, certificate)) : cluster);
            EncodedResource known = touched.contains(target.service()) ? null : endpoints.get(target);
            newEndpoints.put(target, known == null ? encode(Clusters.endpoints(world, target)) : known);
        }
        clusters = newClusters;
        endpoints = newEndpoints;
        services = messages.targets().stream().map(Target::service).collect(Collectors.toSet());
        List<EncodedResource> all = new ArrayList<>(clusters.values());
        messages.broken().forEach(message -> all.add(encode(message)));
        snapshot = Snapshot.EMPTY
                .with(ResourceType.LISTENER, set(messages.listeners()))
                .with(ResourceType.ROUTE, set(messages.routes()))
                .with(ResourceType.CLUSTER, ResourceSet.of(all))
                .with(ResourceType.ENDPOINT, ResourceSet.of(endpoints.values()))
                .with(ResourceType.SECRET, secrets(world, messages.secrets()));
    }

    /** Replaces the endpoints of these services and nothing else. */
    void replaceEndpoints(World world, Set<Name> touched) {
        List<EncodedResource> fresh = new ArrayList<>();
        endpoints.replaceAll((target, known) -> {
            if (!touched.contains(target.service())) {
                return known;
            }
            EncodedResource made = encode(Clusters.endpoints(world, target));
            fresh.add(made);
            return made;
        });
        ResourceSet set = snapshot.resources(ResourceType.ENDPOINT).with(fresh, List.of());
        snapshot = snapshot.with(ResourceType.ENDPOINT, set);
    }

    boolean uses(Name service) {
        return services.contains(service);
    }

    private ResourceSet secrets(World world, Set<Name> names) {
        List<EncodedResource> secrets = new ArrayList<>();
        for (Name name : names) {
            Optional<Texts> texts = world.data().find(new DataName(DataName.Type.SECRET, name));
            texts.ifPresent(found -> secrets.add(encode(secret(name, found))));
        }
        return ResourceSet.of(secrets);
    }

    private static Secret secret(Name name, Texts texts) {
        Secret.Builder secret = Secret.newBuilder().setName(name.toString());
        secret.getTlsCertificateBuilder().getCertificateChainBuilder().setInlineString(texts.text("tls.crt"));
        secret.getTlsCertificateBuilder().getPrivateKeyBuilder().setInlineString(texts.text("tls.key"));
        return secret.build();
    }

    private ResourceSet set(Iterable<? extends Message> messages) {
        List<EncodedResource> all = new ArrayList<>();
        messages.forEach(message -> all.add(encode(message)));
        return ResourceSet.of(all);
    }

    private EncodedResource encode(Message message) {
        encoded++;
        return EncodedResource.of(message);
    }
}
