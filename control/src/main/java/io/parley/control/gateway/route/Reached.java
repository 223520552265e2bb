package io.parley.control.gateway.route;

import io.parley.agreement.backend.Resolution;
import io.parley.agreement.reason.Decision;

/** What a reference leads to. */
public sealed interface Reached {
    /** A target, and why it is spoken to as it is. */
    record Usable(Target target, Decision<Resolution> decision) implements Reached {}

    /** Nothing. */
    record Broken(BrokenReason reason, String message) implements Reached {}
}
