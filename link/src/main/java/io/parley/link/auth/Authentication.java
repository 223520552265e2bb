package io.parley.link.auth;

import java.util.Optional;
import java.util.function.Supplier;

/** The verdict on credentials. */
public sealed interface Authentication {
    /**
     * The node is who it says.
     *
     * @param ended why what it showed counts no longer, nothing while it does; asked as long as it is connected; may block
     */
    record Granted(NodePrincipal principal, Supplier<Optional<String>> ended) implements Authentication {
        /** By what cannot be taken back before it ends by itself. */
        public Granted(NodePrincipal principal) {
            this(principal, Optional::empty);
        }
    }

    /** Nothing was shown, or it does not hold: 401. */
    record Unauthenticated(String reason) implements Authentication {}

    /** It holds, and still the node may not come in: 403. */
    record Forbidden(String reason) implements Authentication {}
}
