package io.parley.sync.auth;

/**
 * Which zone is connected.
 *
 * @param tenant whose zone it is; empty where there is only one tenant
 */
public record ZoneIdentity(String tenant, String zone) {
    @Override
    public String toString() {
        return tenant.isEmpty() ? zone : tenant + "/" + zone;
    }
}
