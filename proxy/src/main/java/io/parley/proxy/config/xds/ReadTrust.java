package io.parley.proxy.config.xds;

import java.security.cert.X509Certificate;
import java.util.List;

/** Who is believed, as a resource says. */
sealed interface ReadTrust {
    /** These authorities. */
    record Inline(List<X509Certificate> authorities) implements ReadTrust {}

    /** The authorities in the secret of this name. */
    record Named(String secret) implements ReadTrust {}

    /** Those that the system believes. */
    record Roots() implements ReadTrust {}
}
