package io.parley.proxy.tls;

import java.util.Optional;

/**
 * Where the proxy's certificate comes from: files, the control plane, a test. Asked at every handshake, so it answers from memory;
 * a new certificate is used from the next handshake on, and connections that are open stay.
 */
@FunctionalInterface
public interface CertificateSource {
    /** What holds now; empty if there is none yet, and then nothing can be encrypted. The same instance until it changes. */
    Optional<MeshCredentials> current();

    /** Why there has been none so far, although one is to be had; empty if there is one, or if none was asked for. */
    default Optional<String> whyNone() {
        return Optional.empty();
    }

    /** A proxy without an identity. */
    static CertificateSource none() {
        return Optional::empty;
    }
}
