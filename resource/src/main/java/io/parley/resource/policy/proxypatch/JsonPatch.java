package io.parley.resource.policy.proxypatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One operation of RFC 6902. */
public record JsonPatch(
        Op op, String path, @Nullable String from, @Nullable JsonNode value) {
    /** Which operation. */
    public enum Op {
        ADD,
        REMOVE,
        REPLACE,
        MOVE,
        COPY
    }

    private static final Choices<Op> OPS =
            Choices.by(List.of(Op.values()), op -> op.name().toLowerCase(Locale.ROOT));

    static JsonPatch read(Fields fields) {
        Op op = fields.at("op").requireChoice(OPS);
        String path = fields.at("path").requireText("a JSON pointer such as /name", JsonPatch::isPointer);
        boolean fromElsewhere = op == Op.MOVE || op == Op.COPY;
        String from = fromElsewhere
                ? fields.at("from").requireText("a JSON pointer such as /name", JsonPatch::isPointer)
                : fields.at("from").text();
        if ((op == Op.ADD || op == Op.REPLACE) && !fields.has("value")) {
            fields.fail("value", "missing (expected: what to put at " + path + ")");
        }
        return new JsonPatch(op, path, from, fields.at("value").any());
    }

    // RFC 6901: empty means the whole document.
    private static boolean isPointer(String text) {
        return text.isEmpty() || text.startsWith("/");
    }
}
