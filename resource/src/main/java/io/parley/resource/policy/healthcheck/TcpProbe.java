package io.parley.resource.policy.healthcheck;

import io.parley.resource.read.Fields;
import java.util.Base64;
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
    private static final String EXPECTED = "base64 of 1 to " + LONGEST + " bytes, such as UElORw== for PING";

    static TcpProbe read(Fields fields) {
        return new TcpProbe(
                fields.at("disabled").flag(),
                fields.at("send").text(EXPECTED, TcpProbe::isBase64),
                fields.at("receive").list(words -> words.requireText(EXPECTED, TcpProbe::isBase64)));
    }

    private static boolean isBase64(String text) {
        try {
            int bytes = Base64.getDecoder().decode(text).length;
            return bytes > 0 && bytes <= LONGEST;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
