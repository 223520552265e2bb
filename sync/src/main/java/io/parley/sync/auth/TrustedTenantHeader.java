package io.parley.sync.auth;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.parley.sync.grpc.SyncHeaders;
import java.util.function.Predicate;

/**
 * Takes the tenant from the header {@code tenant}, on connections of a proxy that is trusted to set it and for tokens that name none; zones
 * prove the rest themselves. From anybody else, or against a token, it is a claim like any other, and is judged where those are.
 */
public final class TrustedTenantHeader implements ZoneAuthenticator {
    private final ZoneAuthenticator zones;
    private final Predicate<Attributes> trusted;

    /**
     * @param trusted whether a connection is the proxy's
     */
    public TrustedTenantHeader(ZoneAuthenticator zones, Predicate<Attributes> trusted) {
        this.zones = zones;
        this.trusted = trusted;
    }

    @Override
    public Answer authenticate(Metadata headers, Attributes connection) {
        Answer answer = zones.authenticate(headers, connection);
        String tenant = SyncHeaders.text(headers, SyncHeaders.TENANT);
        return answer instanceof Answer.Proven(ZoneIdentity zone)
                        && zone.tenant().isEmpty()
                        && !tenant.isEmpty()
                        && trusted.test(connection)
                ? new Answer.Proven(new ZoneIdentity(tenant, zone.zone()))
                : answer;
    }
}
