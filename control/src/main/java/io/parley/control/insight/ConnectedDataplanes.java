package io.parley.control.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.version.ConnectedNode;
import io.parley.control.node.NodeKey;
import io.parley.resource.KindId;
import io.parley.store.Cursor;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** The data planes that are linked to any control plane of a store, by their insights. */
public final class ConnectedDataplanes {
    private static final KindId INSIGHT = new KindId("DataplaneInsight");

    private final ResourceStore store;

    public ConnectedDataplanes(ResourceStore store) {
        this.store = store;
    }

    /** A data plane that is connected, and what it asked for. */
    public record Connected(NodeKey node, ConnectedNode asked) {}

    /** All of them, by mesh and name. Reads the store, so it may block. */
    public List<Connected> list() {
        List<Connected> connected = new ArrayList<>();
        online((node, insight) -> {
            if (insight.has("negotiation")) {
                connected.add(new Connected(node, NegotiationDocument.read(insight.path("negotiation"))));
            }
        });
        return connected;
    }

    /** Whoever has a connection open, by whichever protocol. Reads the store, so it may block. */
    Set<NodeKey> online() {
        Set<NodeKey> online = new HashSet<>();
        online((node, _) -> online.add(node));
        return online;
    }

    private void online(BiConsumer<NodeKey, ObjectNode> taker) {
        Cursor after = null;
        do {
            Page page = store.list(Query.of(INSIGHT).withLimit(Query.MAX_LIMIT).startingAfter(after));
            for (Stored stored : page.items()) {
                ObjectNode insight = stored.resource().spec().tree();
                if (isOnline(insight)) {
                    taker.accept(new NodeKey(stored.key().space(), stored.key().name()), insight);
                }
            }
            after = page.next();
        } while (after != null);
    }

    private static boolean isOnline(JsonNode insight) {
        for (JsonNode subscription : insight.path("subscriptions")) {
            if (!subscription.has("disconnectTime")) {
                return true;
            }
        }
        return false;
    }
}
