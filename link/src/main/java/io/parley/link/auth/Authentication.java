package io.parley.link.auth;

import java.util.function.BooleanSupplier;

/** The verdict on credentials. */
public sealed interface Authentication {
    /**
     * The node is who it says.
     *
     * @param holds whether what it showed still counts, asked as long as it is connected; may block
     */
    record Granted(NodePrincipal principal, BooleanSupplier holds) implements Authentication {
        /** By what cannot be taken back before it ends by itself. */
        public Granted(NodePrincipal principal) {
            this(principal, () -> true);
        }
    }

    /** Nothing was shown, or it does not hold: 401. */
    record Unauthenticated(String reason) implements Authentication {}

    /** It holds, and still the node may not come in: 403. */
    record Forbidden(String reason) implements Authentication {}
}
