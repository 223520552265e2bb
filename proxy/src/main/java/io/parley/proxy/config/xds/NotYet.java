package io.parley.proxy.config.xds;

/** Something that a listener refers to is not there. */
final class NotYet extends RuntimeException {
    NotYet(String message) {
        super(message, null, false, false);
    }
}
