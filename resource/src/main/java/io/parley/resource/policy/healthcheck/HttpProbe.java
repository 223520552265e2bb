package io.parley.resource.policy.healthcheck;

import io.parley.resource.policy.HeaderModifier;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.List;
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
                fields.at("requestHeadersToAdd").object(headers -> HeaderModifier.readWithoutRemoval(headers, FRAMING)),
                fields.at("expectedStatuses").list(status -> status.requireInteger(IntRange.HTTP_STATUS)));
    }
}
