package io.parley.control.gateway.status;

import java.util.Map;

/** What is known of a Gateway's proxies. */
public sealed interface Serving {
    /**
     * Nothing yet: the control plane has just started, and proxies that it had before come back one by one. What was said of the same
     * generation stays.
     */
    record Unknown() implements Serving {}

    /** There is one at least, which is being told, and has not said what it makes of it. What was said stays, of whatever generation. */
    record Unheard() implements Serving {}

    /** There is none. */
    record Nobody() implements Serving {}

    /**
     * There is one at least.
     *
     * @param troubles what they cannot do, by the place of the listener in its Gateway
     * @param refusal what one of them says of the configuration that it was told last and did not take; empty if all took it
     */
    record Somebody(Map<Integer, Trouble> troubles, String refusal) implements Serving {
        public Somebody {
            troubles = Map.copyOf(troubles);
        }
    }

    /** Where a proxy cannot listen, and why. */
    record Trouble(Cause cause, String message) {}

    /** What is in the way of a listener. */
    enum Cause {
        /** The machine has no such address. */
        ADDRESS("AddressNotUsable"),
        /** Somebody else has the port, or the proxy may not have it. */
        PORT("PortUnavailable");

        private final String reason;

        Cause(String reason) {
            this.reason = reason;
        }

        /** As the API spells it. */
        String reason() {
            return reason;
        }
    }
}
