package io.parley.xds.server.session;

import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceReference;
import io.parley.xds.server.snapshot.ResourceSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A proxy keeps a changed cluster warming until endpoints come, also when they did not change (case S15): they are sent again. */
final class Warming {
    private final ClientTraits.Warming need;

    /** To be sent again to a client that goes on where another stream ended, and has not said yet that it wants them. */
    private Set<ResourceReference> early = Set.of();

    Warming(ClientTraits.Warming need) {
        this.need = need;
    }

    /** These changes of one subscription go out. */
    void changed(Subscription changed, Changes changes, ResourceSet target, List<Subscription> subscriptions) {
        if (need == ClientTraits.Warming.NOT_NEEDED) {
            return;
        }
        for (String name : changed.interest().within(changes.updated())) {
            for (ResourceReference warmed :
                    target.find(name).map(EncodedResource::warms).orElse(List.of())) {
                boolean asked = false;
                for (Subscription subscription : subscriptions) {
                    asked |= subscription.type.canonical().equals(warmed.typeUrl());
                    owe(subscription, warmed);
                }
                if (!asked && changed.resumed()) {
                    addEarly(warmed);
                }
            }
        }
    }

    private void addEarly(ResourceReference warmed) {
        if (early.isEmpty()) {
            early = new HashSet<>();
        }
        early.add(warmed);
    }

    /** What this client has of the type is taken as sent from now on, except what must come again. */
    void resumed(Subscription subscription) {
        if (!early.isEmpty()) {
            early.forEach(warmed -> owe(subscription, warmed));
            early.removeIf(warmed -> subscription.type.canonical().equals(warmed.typeUrl()));
        }
    }

    private static void owe(Subscription subscription, ResourceReference warmed) {
        if (subscription.type.canonical().equals(warmed.typeUrl())
                && subscription.interest().covers(warmed.name())) {
            subscription.oweAlso(warmed.name());
        }
    }
}
