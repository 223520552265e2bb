package io.parley.control.destination;

import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Protocol;
import io.parley.wire.destination.proto.DestinationProfile;
import io.parley.wire.destination.proto.WeightedAddr;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answers to one {@code GetProfile}. A destination that nobody knows has an empty profile, which may fill later. */
final class Profiles {
    private static final float RETRY_RATIO = 0.2f;
    private static final int MIN_RETRIES = 10;
    private static final int RETRY_SECONDS = 10;

    private final Target target;
    private final AddressIndex index;
    private @Nullable DestinationProfile last;

    Profiles(Target target, AddressIndex index) {
        this.target = target;
        this.index = index;
    }

    List<DestinationProfile> next(Model model) {
        DestinationProfile now = profile(model);
        if (now.equals(last)) {
            return List.of();
        }
        last = now;
        return List.of(now);
    }

    private DestinationProfile profile(Model model) {
        DestinationProfile.Builder profile = DestinationProfile.newBuilder();
        profile.getRetryBudgetBuilder()
                .setRetryRatio(RETRY_RATIO)
                .setMinRetriesPerSecond(MIN_RETRIES)
                .getTtlBuilder()
                .setSeconds(RETRY_SECONDS);
        Optional<Target.Found> clusterService = target.clusterService(model);
        if (clusterService.isPresent()) {
            clusterService(model, clusterService.get(), profile);
        } else if (target.isAddress()) {
            endpoint(model, profile);
        } else {
            target.service(model)
                    .ifPresent(service -> profile.setFullyQualifiedName(service.name())
                            .setOpaqueProtocol(isOpaque(service.protocol().value())));
        }
        return profile.build();
    }

    private void clusterService(Model model, Target.Found found, DestinationProfile.Builder profile) {
        profile.setFullyQualifiedName(
                found.service().name() + "." + found.service().namespace() + ".svc.cluster.local");
        found.port().ifPresent(port -> {
            Protocol protocol = target.service(model)
                    .map(service -> service.protocol().value())
                    .orElseGet(() -> model.cluster()
                            .declaredProtocol(found.service(), port)
                            .value());
            profile.setOpaqueProtocol(isOpaque(protocol));
        });
    }

    /** One endpoint of the mesh of who asks, by its own address; one that is not known is dialled as it is. */
    private void endpoint(Model model, DestinationProfile.Builder profile) {
        Optional<Endpoint> known = index.find(model, target.mesh(), target.host(), target.port());
        if (known.isPresent()) {
            MeshModel mesh = model.mesh(target.mesh()).orElseThrow();
            Addresses.of(known.get(), mesh).ifPresent(profile::setEndpoint);
            profile.setOpaqueProtocol(isOpaque(known.get().protocol().value()));
            return;
        }
        Addresses.tcp(target.host(), target.port())
                .ifPresent(address -> profile.setEndpoint(
                        WeightedAddr.newBuilder().setAddr(address).setWeight(10_000)));
        profile.setOpaqueProtocol(model.cluster().isUsuallyOpaque(target.port()));
    }

    private static boolean isOpaque(Protocol protocol) {
        return protocol == Protocol.OPAQUE;
    }
}
