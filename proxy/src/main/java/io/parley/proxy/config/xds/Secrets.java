package io.parley.proxy.config.xds;

import io.parley.identity.certificate.Credentials;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;

/** Looks up secrets by name. What is not there is {@link NotYet}. */
record Secrets(Map<String, ReadSecret> held) {
    Credentials credentials(String name) {
        if (held.get(name) instanceof ReadSecret.Certificate(var credentials)) {
            return credentials;
        }
        throw new NotYet("secret " + name + " with a certificate is not there");
    }

    /** None means those that the system believes. */
    List<X509Certificate> authorities(ReadTrust trust) {
        return switch (trust) {
            case ReadTrust.Roots() -> List.of();
            case ReadTrust.Inline(var authorities) -> authorities;
            case ReadTrust.Named(var name) -> {
                if (held.get(name) instanceof ReadSecret.Authorities(var certificates)) {
                    yield certificates;
                }
                throw new NotYet("secret " + name + " with authorities is not there");
            }
        };
    }
}
