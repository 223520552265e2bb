package io.parley.proxy.tls;

import io.netty.handler.ssl.OpenSsl;

/** BoringSSL, where its native part loads; the JDK's TLS stands in for it elsewhere. */
public final class TlsLibrary {
    static {
        // BoringSSL knows no renegotiation. The JDK's TLS grants it to clients of TLS 1.2, for whom it costs next to
        // nothing to make a server sign over and
        // over on one connection (CVE-2011-1473); it asks when it takes its first handshake, and never again.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private TlsLibrary() {}

    static boolean isNative() {
        return OpenSsl.isAvailable();
    }

    /**
     * Loads it, for those who may be told of certificates while they work. It takes a tenth of a second, which an event loop does not have, and 7 MiB, which
     * those who never encrypt keep.
     */
    public static void load() {
        OpenSsl.isAvailable();
    }
}
