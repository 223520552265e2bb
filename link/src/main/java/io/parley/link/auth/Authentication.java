package io.parley.link.auth;

/** The verdict on credentials. */
public sealed interface Authentication {
    /** The node is who it says. */
    record Granted(NodePrincipal principal) implements Authentication {}

    /** Nothing was shown, or it does not hold: 401. */
    record Unauthenticated(String reason) implements Authentication {}

    /** It holds, and still the node may not come in: 403. */
    record Forbidden(String reason) implements Authentication {}
}
