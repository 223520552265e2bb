package io.parley.proxy.trace;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** What tracing systems pass along for themselves, in the field {@code tracestate} (W3C Trace Context, section 3.3). */
final class TraceState {
    private static final int MOST_MEMBERS = 32;
    private static final int LONGEST = 16 * 1_024;
    private static final Pattern KEY =
            Pattern.compile("[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}");
    private static final Pattern VALUE = Pattern.compile("[ -+\\--<>-~]{0,255}[!-+\\--<>-~]");
    private static final Pattern BETWEEN = Pattern.compile("[ \t]*,[ \t]*");

    private TraceState() {}

    /** Whether it may be passed on; if not, it is left out and the trace goes on without it. */
    static boolean isValid(String text) {
        if (text.length() > LONGEST) {
            return false;
        }
        Set<String> keys = new HashSet<>();
        for (String member : BETWEEN.split(text.strip(), -1)) {
            if (!member.isEmpty() && !(isMember(member) && keys.add(member.substring(0, member.indexOf('='))))) {
                return false;
            }
        }
        return !keys.isEmpty() && keys.size() <= MOST_MEMBERS;
    }

    private static boolean isMember(String text) {
        int equals = text.indexOf('=');
        return equals > 0
                && KEY.matcher(text).region(0, equals).matches()
                && VALUE.matcher(text).region(equals + 1, text.length()).matches();
    }
}
