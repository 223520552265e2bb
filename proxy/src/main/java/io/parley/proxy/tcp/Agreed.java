package io.parley.proxy.tcp;

import io.parley.agreement.reason.Decision;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * What a connection carries, and who sends it.
 *
 * @param because the protocol and the reason for it
 * @param peer the client's name in the mesh; null if it showed none
 */
public record Agreed(Decision<Protocol> because, @Nullable SpiffeId peer) {
    public Protocol protocol() {
        return because.value();
    }
}
