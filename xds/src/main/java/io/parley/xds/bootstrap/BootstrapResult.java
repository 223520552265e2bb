package io.parley.xds.bootstrap;

import java.util.List;
import java.util.stream.Collectors;

/** What came of reading a bootstrap. */
public sealed interface BootstrapResult {
    /** The bootstrap is sound. */
    record Loaded(Bootstrap bootstrap) implements BootstrapResult {}

    /** The bootstrap cannot be used; all that is wrong with it, at least one thing. */
    record Rejected(List<BootstrapError> errors) implements BootstrapResult {
        public Rejected {
            errors = List.copyOf(errors);
        }

        /** All errors in one line, for people. */
        public String message() {
            return errors.stream().map(BootstrapError::message).collect(Collectors.joining("; "));
        }
    }
}
