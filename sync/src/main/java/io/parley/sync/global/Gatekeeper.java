package io.parley.sync.global;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.Status;
import io.parley.resource.kind.NameRule;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.grpc.SyncHeaders;
import io.parley.sync.status.SyncMetrics;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets zones in. Who a zone is comes from the authenticator; what it claims in headers must not contradict that. A claim that does is a
 * forgery or a misconfiguration: either way it is refused, counted and logged.
 */
final class Gatekeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Gatekeeper.class);

    private final ZoneAuthenticator authenticator;
    private final Function<String, Optional<TenantSync>> tenants;
    private final SyncMetrics metrics;

    Gatekeeper(ZoneAuthenticator authenticator, Function<String, Optional<TenantSync>> tenants, SyncMetrics metrics) {
        this.authenticator = authenticator;
        this.tenants = tenants;
        this.metrics = metrics;
    }

    sealed interface Admission {
        record Admitted(Caller caller) implements Admission {}

        record Refused(Status status) implements Admission {}
    }

    Admission admit(Metadata headers, Attributes connection) {
        return switch (authenticator.authenticate(headers, connection)) {
            case ZoneAuthenticator.Answer.Refused(String because) -> {
                LOG.warn("refused a zone: {}", because);
                yield refuse("credentials", Status.UNAUTHENTICATED, "credentials were refused");
            }
            case ZoneAuthenticator.Answer.Proven(ZoneIdentity zone) -> admit(zone, headers);
        };
    }

    private Admission admit(ZoneIdentity zone, Metadata headers) {
        String claimed = SyncHeaders.text(headers, SyncHeaders.CLIENT_ID);
        String tenant = SyncHeaders.text(headers, SyncHeaders.TENANT);
        if (claimed.isEmpty()) {
            return refuse("client-id", Status.INVALID_ARGUMENT, "header client-id: absent (expected: the zone's name)");
        }
        if (!claimed.equals(zone.zone())) {
            LOG.warn("zone {} claims to be zone {}: refused", zone, claimed);
            return refuse(
                    "forged-zone",
                    Status.PERMISSION_DENIED,
                    "header client-id: " + claimed + " (expected: " + zone.zone() + ", as the credentials prove)");
        }
        if (!tenant.isEmpty() && !tenant.equals(zone.tenant())) {
            LOG.warn("zone {} claims to be of tenant {}: refused", zone, tenant);
            return refuse(
                    "forged-tenant",
                    Status.PERMISSION_DENIED,
                    "header tenant: " + tenant + " (expected: the one that the credentials prove)");
        }
        if (!NameRule.ZONE.accepts(zone.zone())) {
            return refuse(
                    "zone-name", Status.INVALID_ARGUMENT, "zone: " + claimed + " (expected: " + NameRule.ZONE + ")");
        }
        return admitToTenant(zone, headers);
    }

    private Admission admitToTenant(ZoneIdentity zone, Metadata headers) {
        Optional<TenantSync> found = tenants.apply(zone.tenant());
        if (found.isEmpty()) {
            LOG.warn("zone {} is of a tenant that is not served here: refused", zone);
            return refuse("tenant", Status.PERMISSION_DENIED, "tenant is not served here");
        }
        if (!found.get().hasRoomFor(zone.zone())) {
            LOG.warn("zone {} is one more than its tenant may have: refused", zone);
            return refuse("zones", Status.RESOURCE_EXHAUSTED, "as many zones are connected as a tenant may have");
        }
        return new Admission.Admitted(new Caller(
                zone,
                found.get(),
                SyncHeaders.features(headers),
                SyncHeaders.priorityClass(headers),
                SyncHeaders.messages(headers),
                SyncHeaders.text(headers, SyncHeaders.RELEASE),
                SyncHeaders.text(headers, SyncHeaders.INSTANCE_ID)));
    }

    private Admission refuse(String reason, Status status, String message) {
        metrics.refused(reason);
        return new Admission.Refused(status.withDescription(message));
    }
}
