package io.parley.identity.token;

/** What became of checking a token. */
public sealed interface Verification {
    /** It counts. */
    record Valid(Token token) implements Verification {}

    /** It does not. */
    record Refused(String reason) implements Verification {}
}
