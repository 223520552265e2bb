package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.Violation;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a certificate or a key is. */
public sealed interface DataSource {
    /** In the Secret of this name, of the same mesh. */
    record InSecret(String name) implements DataSource {}

    /** In the resource itself. */
    record Inline(String text) implements DataSource {
        /** It may be a key. */
        @Override
        public String toString() {
            return "inline";
        }
    }

    /**
     * Reads one; null if there is none. Files are not read: whoever may write resources would read any file of the control plane's
     * machine.
     */
    static @Nullable DataSource read(JsonNode source, String path, List<Violation> violations) {
        if (source.isMissingNode() || source.isNull()) {
            return null;
        }
        if (source.path("secret").isTextual()) {
            return new InSecret(source.path("secret").asText());
        }
        JsonNode text = source.has("inlineString") ? source.path("inlineString") : source.path("inline_string");
        if (text.isTextual()) {
            return new Inline(text.asText());
        }
        if (source.path("inline").isTextual()) {
            try {
                byte[] decoded =
                        Base64.getMimeDecoder().decode(source.path("inline").asText());
                return new Inline(new String(decoded, StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                violations.add(new Violation(path + ".inline", "not base64: " + e.getMessage()));
                return null;
            }
        }
        violations.add(new Violation(path, "no source that is read here (expected: secret, inline or inlineString)"));
        return null;
    }
}
