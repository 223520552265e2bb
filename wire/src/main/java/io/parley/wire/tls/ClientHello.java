package io.parley.wire.tls;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a TLS client asks for.
 *
 * @param name the server name indication (RFC 6066 section 3), lower case; null if the client gave none
 * @param protocols the application protocols offered (RFC 7301), in the client's order of preference
 */
public record ClientHello(@Nullable String name, List<String> protocols) {
    public ClientHello {
        protocols = List.copyOf(protocols);
    }

    public Optional<String> serverName() {
        return Optional.ofNullable(name);
    }
}
