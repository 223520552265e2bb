package io.parley.identity.certificate;

/** How keys are handed to a TLS library that wants them in a key store. */
public final class KeyStores {
    /**
     * The kind of a store that only lives in memory. Netty puts the key of every TLS context into one and takes it out again; the JDK's default,
     * PKCS #12, derives a secret by ten thousand rounds for each of the two, from a password that is empty: with a compiler that is still cold more than 50 ms for nothing.
     */
    public static final String IN_MEMORY = "JKS";

    private KeyStores() {}
}
