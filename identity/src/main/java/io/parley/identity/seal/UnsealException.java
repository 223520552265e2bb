package io.parley.identity.seal;

/** A sealed secret does not open: the master key is another one than the secret was sealed with, or the secret was changed. */
public final class UnsealException extends RuntimeException {
    UnsealException(String label) {
        super("cannot open the sealed secret " + label
                + ": it was sealed with another master key, or changed since (give this control plane the master key"
                + " of the one that wrote the store)");
    }
}
