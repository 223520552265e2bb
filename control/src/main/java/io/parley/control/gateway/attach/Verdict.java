package io.parley.control.gateway.attach;

/**
 * A condition's substance.
 *
 * @param good whether it is as its owner wishes
 * @param reason as the API spells it
 */
public record Verdict(boolean good, String reason, String message) {
    public static Verdict good(String reason, String message) {
        return new Verdict(true, reason, message);
    }

    public static Verdict bad(String reason, String message) {
        return new Verdict(false, reason, message);
    }
}
