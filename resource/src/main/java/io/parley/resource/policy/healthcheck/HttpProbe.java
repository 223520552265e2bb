package io.parley.resource.policy.healthcheck;

import io.parley.resource.policy.HeaderModifier;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sends a GET and looks at the status. */
public record HttpProbe(
        @Nullable Boolean disabled,
        @Nullable String path,
        @Nullable HeaderModifier requestHeadersToAdd,
        List<Integer> expectedStatuses) {
    /** Another value of these would make another message of what follows on the connection. */
    private static final Set<String> FRAMING =
            Set.of("connection", "content-length", "te", "transfer-encoding", "upgrade");

    static HttpProbe read(Fields fields) {
        return new HttpProbe(
                fields.at("disabled").flag(),
                fields.at("path").text("a path such as /health", path -> path.startsWith("/")),
                fields.at("requestHeadersToAdd").object(HttpProbe::headers),
                fields.at("expectedStatuses").list(status -> status.requireInteger(IntRange.HTTP_STATUS)));
    }

    private static HeaderModifier headers(Fields fields) {
        HeaderModifier headers = HeaderModifier.readWithoutRemoval(fields);
        refuseFraming(fields, "set", headers.set());
        refuseFraming(fields, "add", headers.add());
        return headers;
    }

    private static void refuseFraming(Fields fields, String part, List<HeaderModifier.Header> headers) {
        for (HeaderModifier.Header header : headers) {
            if (FRAMING.contains(header.name().toLowerCase(Locale.ROOT))) {
                fields.at(part).fail(header.name() + " (expected: a header that does not frame the request)");
            }
        }
    }
}
