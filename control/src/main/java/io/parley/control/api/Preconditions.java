package io.parley.control.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import io.parley.store.Expected;
import io.parley.store.Revision;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the caller expects to be there: {@code If-Match: "7"} that version, {@code If-Match: *} any, {@code If-None-Match: *} nothing (RFC 9110 13.1). */
final class Preconditions {
    private static final Pattern ENTITY_TAG = Pattern.compile("\"?([0-9]{1,18})\"?");

    private Preconditions() {}

    static Expected of(RequestHeaders headers) {
        String match = headers.get(HttpHeaderNames.IF_MATCH);
        String noneMatch = headers.get(HttpHeaderNames.IF_NONE_MATCH);
        if (match == null && noneMatch == null) {
            return Expected.anything();
        }
        if (match == null && "*".equals(noneMatch)) {
            return Expected.absent();
        }
        if (noneMatch == null && "*".equals(match)) {
            return Expected.present();
        }
        Matcher tag = match == null || noneMatch != null ? null : ENTITY_TAG.matcher(match);
        if (tag == null || !tag.matches()) {
            throw Problem.invalid(
                            "If-Match: " + match + ", If-None-Match: " + noneMatch
                                    + " (expected: If-Match with a resource's version or *, or If-None-Match: *)",
                            List.of())
                    .asException();
        }
        return Expected.exactly(new Revision(Long.parseLong(tag.group(1))));
    }

    static String entityTag(Revision revision) {
        return "\"" + revision + "\"";
    }
}
