package io.parley.sync.auth;

import io.grpc.Attributes;
import io.grpc.Metadata;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Takes the tenant from a header, on connections of a proxy that is trusted to set it; zones prove the rest themselves. */
public final class TrustedTenantHeader implements ZoneAuthenticator {
    private final ZoneAuthenticator zones;
    private final Metadata.Key<String> header;
    private final Predicate<Attributes> trusted;

    /**
     * @param trusted whether a connection is the proxy's
     */
    public TrustedTenantHeader(ZoneAuthenticator zones, String header, Predicate<Attributes> trusted) {
        this.zones = zones;
        this.header = Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER);
        this.trusted = trusted;
    }

    @Override
    public Answer authenticate(Metadata headers, Attributes connection) {
        Answer answer = zones.authenticate(headers, connection);
        @Nullable String tenant = headers.get(header);
        if (!(answer instanceof Answer.Proven(ZoneIdentity zone)) || tenant == null) {
            return answer;
        }
        if (!trusted.test(connection)) {
            return new Answer.Refused("header " + header.name() + " from a peer that is not the trusted proxy");
        }
        // A token that names a tenant is the better proof, and a proxy cannot move it to another.
        boolean agrees = zone.tenant().isEmpty() || zone.tenant().equals(tenant);
        return agrees
                ? new Answer.Proven(new ZoneIdentity(tenant, zone.zone()))
                : new Answer.Refused("header " + header.name() + ": " + tenant + " (expected: " + zone.tenant()
                        + ", as the token says)");
    }
}
