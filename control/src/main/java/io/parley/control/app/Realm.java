package io.parley.control.app;

import io.parley.control.draft.Flavor;
import io.parley.control.explain.Observations;
import io.parley.control.gateway.Gateways;
import io.parley.control.identity.MeshAuthorities;
import io.parley.control.identity.SharedAuthorities;
import io.parley.control.insight.ReportedDecisions;
import io.parley.control.insight.ServiceInsights;
import io.parley.control.keys.Revocations;
import io.parley.control.keys.SealedSecrets;
import io.parley.control.snapshot.ProxyKey;
import io.parley.control.snapshot.ProxySnapshots;
import io.parley.control.zone.IngressOffers;
import io.parley.identity.seal.MasterKey;
import io.parley.store.ResourceStore;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What belongs to one tenant: its resources, what is made of them, its authorities, its list of withdrawn tokens. Realms share a process
 * and nothing that a tenant could see.
 */
final class Realm implements AutoCloseable {
    private final ResourceStore store;
    private final Mode mode;
    private final BooleanSupplier leads;
    private final Revocations revocations;
    private final ProxySnapshots snapshots;
    private final Gateways gateways;
    private final MeshAuthorities authorities;

    /**
     * What all realms rest on.
     *
     * @param leads whether this control plane leads those of its database
     */
    record Ground(Mode mode, MasterKey masterKey, BooleanSupplier leads, Clock clock, SecureRandom random) {}

    Realm(ResourceStore store, Ground ground) {
        this.store = store;
        this.mode = ground.mode();
        this.leads = ground.leads();
        this.revocations = new Revocations(store, ground.clock());
        new FirstMesh(store, mode.place()).create();
        this.authorities = new MeshAuthorities(
                store, new SealedSecrets(store, ground.masterKey()), ground.clock(), ground.random(), mode.place());
        this.snapshots =
                ProxySnapshots.open(store, mode instanceof Mode.Zone zone ? zone.name() : null, System::nanoTime);
        this.gateways = Gateways.open(store, ground.clock(), leads);
    }

    ResourceStore store() {
        return store;
    }

    Revocations revocations() {
        return revocations;
    }

    ProxySnapshots snapshots() {
        return snapshots;
    }

    Gateways gateways() {
        return gateways;
    }

    MeshAuthorities authorities() {
        return authorities;
    }

    /** What came to light of its data planes. */
    Observations observations() {
        ReportedDecisions decisions = new ReportedDecisions(store);
        return new Observations() {
            @Override
            public List<Observed> reported(String mesh, String dataplane) {
                return decisions.of(mesh, dataplane);
            }

            @Override
            public List<String> problems(String mesh, String dataplane) {
                return Stream.of(Flavor.values())
                        .flatMap(flavor -> snapshots.problems(new ProxyKey(mesh, dataplane, flavor)).stream())
                        .distinct()
                        .toList();
            }
        };
    }

    /** Begins with what happens by itself. The timer may be blocked by the store. */
    void start(ScheduledExecutorService timer) {
        new ServiceInsights(store, snapshots.feed(), leads).start(timer);
        switch (mode) {
            case Mode.Standalone _ -> {}
            case Mode.Global _ -> new SharedAuthorities(authorities, snapshots.feed()).start(timer);
            case Mode.Zone zone -> new IngressOffers(store, snapshots.feed(), zone.name(), leads).start(timer);
        }
    }

    @Override
    public void close() {
        gateways.close();
        snapshots.close();
    }
}
