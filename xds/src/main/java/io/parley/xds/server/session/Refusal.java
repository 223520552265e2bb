package io.parley.xds.server.session;

/** Why a stream must end: the client broke the protocol or a limit. */
public record Refusal(Code code, String message) {
    /** The gRPC status that says so. */
    public enum Code {
        INVALID_ARGUMENT,
        RESOURCE_EXHAUSTED,
        PERMISSION_DENIED,
        UNAVAILABLE
    }
}
