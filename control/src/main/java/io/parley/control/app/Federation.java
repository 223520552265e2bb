package io.parley.control.app;

import io.parley.control.ProgramVersion;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.agreement.sync.Origin;
import io.parley.agreement.sync.SyncLabels;
import io.parley.identity.token.TokenVerifier;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.store.LeaderElection;
import io.parley.store.ResourceStore;
import io.parley.sync.GlobalSettings;
import io.parley.sync.ZoneSettings;
import io.parley.sync.admin.Answer;
import io.parley.sync.admin.GlobalQuestions;
import io.parley.sync.admin.Question;
import io.parley.sync.admin.ZoneQuestion;
import io.parley.sync.auth.TokenZoneAuthenticator;
import io.parley.sync.auth.TrustedTenantHeader;
import io.parley.sync.global.GlobalSync;
import io.parley.sync.status.ZoneInsights;
import io.parley.sync.zone.LinkState;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What a control plane does for zones, or as one. */
sealed interface Federation extends AutoCloseable {
    /** Services for zones. */
    default List<ServerServiceDefinition> services() {
        return List.of();
    }

    /** Services for other global control planes. */
    default List<ServerServiceDefinition> servicesForGlobals() {
        return List.of();
    }

    /**
     * Begins, once everything else serves.
     *
     * @param proxies answers what global asks a zone
     * @param address where other control planes reach this one
     */
    default void start(Answer.Source proxies, String address) {}

    /** How it stands with a global control plane that this one follows; nothing where it follows none. */
    default List<LinkState> links() {
        return List.of();
    }

    /** Who answers questions about proxies of a tenant: {@code here}, or a zone. */
    default Answer.Source proxies(String tenant, Answer.Source here) {
        return here;
    }

    @Override
    default void close() {}

    /**
     * What control planes know of each other.
     *
     * @param instance what this one is called among those of its store
     * @param introduce makes a token with which another of them lets this one in
     * @param authority that vouches for all of them, as PEM
     */
    record Self(String instance, TokenVerifier verifier, Supplier<String> introduce, String authority) {}

    static Federation of(Mode mode, Self self, Realms realms, LeaderElection election, MeterRegistry metrics) {
        String release = ProgramVersion.current();
        return switch (mode) {
            case Mode.Standalone _ -> new None();
            case Mode.Global global -> {
                GlobalSync sync = new GlobalSync(
                        realms,
                        new TrustedTenantHeader(
                                new TokenZoneAuthenticator(self.verifier()), from -> isFrom(global.proxies(), from)),
                        GlobalSettings.of(self.instance(), release).withPace(global.pace()),
                        metrics);
                realms.byTenant().keySet().forEach(sync::serve);
                yield new Global(sync, realms, self);
            }
            case Mode.Zone zone ->
                new Zone(new ZoneFollowing(
                        realms.main().store(),
                        election,
                        zone,
                        ZoneSettings.of(zone.name(), self.instance(), release).withPace(zone.pace()),
                        metrics));
        };
    }

    private static boolean isFrom(Set<InetAddress> proxies, Attributes connection) {
        return connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress peer
                && proxies.contains(peer.getAddress());
    }

    /** Nothing. */
    record None() implements Federation {}

    /** Serves zones. */
    record Global(GlobalSync sync, Realms realms, Self self) implements Federation {
        private static final KindId INSIGHT = new KindId("ZoneInsight");

        /** A little longer than the other one gives the zone. */
        private static final Duration PATIENCE = GlobalSync.PATIENCE.plusSeconds(2);

        /** A copy of a zone's Dataplane says where that is, and what it is called there. */
        @Override
        public Answer.Source proxies(String tenant, Answer.Source here) {
            ResourceStore store = realms.find(tenant).orElseThrow();
            return question -> {
                ResourceKey copy = new ResourceKey(new KindId(question.kind()), question.mesh(), question.name());
                Map<String, String> labels = store.find(copy)
                        .map(stored -> stored.resource().labels())
                        .orElse(Map.of());
                if (!(Origin.of(labels) instanceof Origin.OfZone(String zone))) {
                    return here.answer(question);
                }
                String name = labels.getOrDefault(SyncLabels.DISPLAY_NAME, question.name());
                ZoneQuestion asked = new ZoneQuestion(
                        tenant, zone, new Question(question.topic(), question.kind(), question.mesh(), name));
                return sync.ask(asked).map(CompletableFuture::join).orElseGet(() -> elsewhere(store, asked));
            };
        }

        /** The zone is connected to another global control plane of this store, or to none. */
        private Answer elsewhere(ResourceStore store, ZoneQuestion asked) {
            Optional<ZoneInsights.Host> host = store.find(new ResourceKey(INSIGHT, "", asked.zone()))
                    .flatMap(stored -> ZoneInsights.host(stored.resource().spec()))
                    .filter(found -> !found.instance().equals(self.instance()));
            if (host.isEmpty()) {
                return new Answer.Failed("zone " + asked.zone() + " is not connected");
            }
            String address = host.get().address();
            return address.isEmpty()
                    ? new Answer.Failed("zone " + asked.zone() + " is connected to the global control plane "
                            + host.get().instance() + ": ask there")
                    : GlobalQuestions.ask(
                            address, self.authority(), self.introduce().get(), asked, PATIENCE);
        }

        @Override
        public void start(Answer.Source proxies, String address) {
            sync.reachedAt(address);
        }

        @Override
        public List<ServerServiceDefinition> servicesForGlobals() {
            return sync.servicesForGlobals();
        }

        @Override
        public List<ServerServiceDefinition> services() {
            return sync.services();
        }

        @Override
        public void close() {
            sync.close();
        }
    }

    /** Follows global. */
    record Zone(ZoneFollowing following) implements Federation {
        @Override
        public void start(Answer.Source proxies, String address) {
            following.start(proxies);
        }

        @Override
        public List<LinkState> links() {
            return following.links();
        }

        @Override
        public void close() {
            following.close();
        }
    }
}
