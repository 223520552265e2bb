package io.parley.proxy.tls;

import javax.net.ssl.SSLException;

/** This proxy has nothing to show in a handshake, so it began none. */
public final class NoCertificateException extends SSLException {
    private static final long serialVersionUID = 1;

    public NoCertificateException(String because) {
        super(because);
    }
}
