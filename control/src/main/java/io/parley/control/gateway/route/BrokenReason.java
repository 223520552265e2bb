package io.parley.control.gateway.route;

/** Why a reference leads nowhere, the one that is told of several first (case 35). Names as the API spells them. */
public enum BrokenReason {
    INVALID_KIND("InvalidKind"),
    REF_NOT_PERMITTED("RefNotPermitted"),
    BACKEND_NOT_FOUND("BackendNotFound"),
    UNSUPPORTED_PROTOCOL("UnsupportedProtocol"),
    /** The BackendTLSPolicy for it is not valid: that policy's status says so, and the route's message. */
    INVALID_POLICY("");

    private final String word;

    BrokenReason(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** Whether the API has a reason for it that a route's condition can give. */
    public boolean isOfRoute() {
        return !word.isEmpty();
    }
}
