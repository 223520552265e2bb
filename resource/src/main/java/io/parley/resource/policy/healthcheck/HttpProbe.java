package io.parley.resource.policy.healthcheck;

import io.parley.resource.policy.HeaderModifier;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.WireText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends a GET and looks at the status. */
public record HttpProbe(
        @Nullable Boolean disabled,
        @Nullable String path,
        @Nullable HeaderModifier requestHeadersToAdd,
        List<Integer> expectedStatuses) {
    static HttpProbe read(Fields fields) {
        return new HttpProbe(
                fields.at("disabled").flag(),
                fields.at("path").text("a path such as /health", WireText::isTarget),
                fields.at("requestHeadersToAdd").object(HeaderModifier::readWithoutRemoval),
                fields.at("expectedStatuses").list(status -> status.requireInteger(IntRange.HTTP_STATUS)));
    }
}
