package io.parley.proxy.tls;

import io.netty.handler.ssl.OpenSsl;

/** BoringSSL, where its native part loads; the JDK's TLS stands in for it elsewhere. */
public final class TlsLibrary {
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
