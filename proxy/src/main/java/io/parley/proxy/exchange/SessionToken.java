package io.parley.proxy.exchange;

import io.parley.proxy.http.Affinity;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client shows of its session: the token of its endpoint, and if sessions have limits when this one began and was used last. The
 * client carries the times, so that all proxies of a gateway know them; whoever makes up others keeps his session, and nothing else.
 *
 * @param began in milliseconds of the clock, as {@code used}
 */
record SessionToken(String endpoint, long began, long used) {
    private static final int RADIX = 36;

    /** The token of the endpoint, when it began and when it was used. No time that we will see has more than nine digits to that base. */
    private static final Pattern WITH_TIMES =
            Pattern.compile("([0-9a-zA-Z_-]{1,64})\\.([0-9a-z]{1,9})\\.([0-9a-z]{1,9})");

    /** Clocks of two proxies differ a little. */
    private static final long CLOCKS_DIFFER_MILLIS = 60_000;

    /** Null if there is none that holds. */
    static @Nullable SessionToken read(@Nullable String text, Affinity.Session session, long now) {
        if (text == null) {
            return null;
        }
        if (!session.hasLimits()) {
            return new SessionToken(text, now, now);
        }
        var parts = WITH_TIMES.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        var token = new SessionToken(
                parts.group(1), Long.parseLong(parts.group(2), RADIX), Long.parseLong(parts.group(3), RADIX));
        return token.holds(session, now) ? token : null;
    }

    private boolean holds(Affinity.Session session, long now) {
        long lived = now - began;
        long rested = now - used;
        return Math.min(lived, rested) >= -CLOCKS_DIFFER_MILLIS
                && (session.life().isZero() || lived <= session.life().toMillis())
                && (session.idle().isZero() || rested <= session.idle().toMillis());
    }

    /** As it is given to the client. */
    String text(Affinity.Session session) {
        return session.hasLimits()
                ? endpoint + "." + Long.toString(began, RADIX) + "." + Long.toString(used, RADIX)
                : endpoint;
    }
}
