package io.parley.control.identity;

/** A mesh names an authority that cannot sign; the message says which field is why. */
public final class AuthorityException extends RuntimeException {
    AuthorityException(String message) {
        super(message);
    }
}
