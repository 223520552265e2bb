package io.parley.resource.policy.healthcheck;

import io.parley.resource.read.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connects, and may talk.
 *
 * @param send base64 of what is sent; nothing is if null
 * @param receive base64 of what must come back, one after the other
 */
public record TcpProbe(@Nullable Boolean disabled, @Nullable String send, List<String> receive) {
    private static final int LONGEST = 4_096;

    static TcpProbe read(Fields fields) {
        return new TcpProbe(
                fields.at("disabled").flag(),
                fields.at("send").text(),
                fields.at("receive")
                        .list(item -> item.requireText(
                                "1 to " + LONGEST + " characters",
                                text -> !text.isEmpty() && text.length() <= LONGEST)));
    }
}
