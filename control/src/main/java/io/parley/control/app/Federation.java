package io.parley.control.app;

import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.identity.token.TokenVerifier;
import io.parley.sync.GlobalSettings;
import io.parley.sync.Tenants;
import io.parley.sync.ZoneSettings;
import io.parley.sync.auth.TokenZoneAuthenticator;
import io.parley.sync.global.GlobalSync;
import java.util.List;

/** What a control plane does for zones, or as one. */
sealed interface Federation extends AutoCloseable {
    /** Services for zones. */
    default List<ServerServiceDefinition> services() {
        return List.of();
    }

    /** Begins, once everything else serves. */
    default void start() {}

    @Override
    default void close() {}

    static Federation of(Mode mode, String instance, Storage storage, TokenVerifier verifier, MeterRegistry metrics) {
        String release = ProgramVersion.current();
        return switch (mode) {
            case Mode.Standalone _ -> new None();
            case Mode.Global _ ->
                new Global(new GlobalSync(
                        Tenants.single(storage.store()),
                        new TokenZoneAuthenticator(verifier),
                        GlobalSettings.of(instance, release),
                        metrics));
            case Mode.Zone zone ->
                new Zone(new ZoneFollowing(storage, zone, ZoneSettings.of(zone.name(), instance, release), metrics));
        };
    }

    /** Nothing. */
    record None() implements Federation {}

    /** Serves zones. */
    record Global(GlobalSync sync) implements Federation {
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
        public void start() {
            following.start();
        }

        @Override
        public void close() {
            following.close();
        }
    }
}
