package io.parley.control.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.store.Page;
import io.parley.store.Stored;

/** A Mesh may hold the private key of its authority in its text: only those who may read secrets get to see it. */
final class HiddenKeys {
    private static final KindId MESH = new KindId("Mesh");
    private static final String KEY = "key";

    private HiddenKeys() {}

    static Stored in(Stored stored) {
        if (!stored.key().kind().equals(MESH)) {
            return stored;
        }
        ObjectNode tree = stored.resource().spec().tree();
        boolean found = false;
        for (JsonNode backend : tree.path("mtls").path("backends")) {
            if (backend.path("conf") instanceof ObjectNode conf && conf.has(KEY)) {
                conf.put(KEY, "hidden");
                found = true;
            }
        }
        return found ? stored.with(stored.resource().withSpec(Document.of(tree))) : stored;
    }

    static Page in(Page page) {
        return new Page(page.items().stream().map(HiddenKeys::in).toList(), page.total(), page.next(), page.revision());
    }
}
