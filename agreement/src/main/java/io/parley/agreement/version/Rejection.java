package io.parley.agreement.version;

/** Why a service was rejected, for programs. */
public enum Rejection {
    UNKNOWN_SERVICE,
    NO_COMMON_VERSION,
    /** There is a common version, and a policy withholds it. */
    SWITCHED_OFF
}
