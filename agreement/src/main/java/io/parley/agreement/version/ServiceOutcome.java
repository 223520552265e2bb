package io.parley.agreement.version;

import io.parley.agreement.reason.Decision;

/** What became of one service that a node asked for. */
public sealed interface ServiceOutcome {
    String service();

    /** What the node is told, for people. */
    String message();

    /** May be used, in this version and no other. */
    record Accepted(String service, Decision<String> version, String message, Standing standing)
            implements ServiceOutcome {}

    /** May not be used. */
    record Rejected(String service, Decision<Rejection> reason) implements ServiceOutcome {
        @Override
        public String message() {
            return reason.because();
        }
    }

    /** Whether an accepted version has a future. */
    enum Standing {
        CURRENT,
        DEPRECATED
    }
}
