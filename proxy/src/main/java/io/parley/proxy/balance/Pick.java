package io.parley.proxy.balance;

/** The answer to a request for an endpoint. */
public sealed interface Pick {
    /** Dial this one, and tell how it went. */
    record Chosen(Attempt attempt) implements Pick {}

    /** There is none to dial. */
    record Refused(String because) implements Pick {}
}
