package io.parley.resource.policy.healthcheck;

import io.parley.resource.read.Field;
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
    static TcpProbe read(Fields fields) {
        return new TcpProbe(
                fields.at("disabled").flag(),
                fields.at("send").text(),
                fields.at("receive").list(Field::requireText));
    }
}
