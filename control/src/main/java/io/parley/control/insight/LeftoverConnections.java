package io.parley.control.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.store.Change;
import io.parley.store.Cursor;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections that insights show as open because this control plane was killed before it could write their end. */
final class LeftoverConnections {
    private static final Logger LOG = LoggerFactory.getLogger(LeftoverConnections.class);
    private static final List<KindId> INSIGHTS =
            List.of(new KindId("DataplaneInsight"), new KindId("ZoneIngressInsight"), new KindId("ZoneEgressInsight"));

    private final ResourceStore store;
    private final String controlPlane;
    private final InstantSource time;

    LeftoverConnections(ResourceStore store, String controlPlane, InstantSource time) {
        this.store = store;
        this.controlPlane = controlPlane;
        this.time = time;
    }

    /** Writes their end. Nobody is connected yet when this runs, or has just come and is written again soon. */
    void end() {
        try {
            INSIGHTS.forEach(this::endAll);
        } catch (StoreException e) {
            LOG.warn("connections of an earlier run stay shown as open: {}", e.getMessage());
        }
    }

    private void endAll(KindId insights) {
        Cursor after = null;
        do {
            Page page = store.list(Query.of(insights).withLimit(Query.MAX_LIMIT).startingAfter(after));
            page.items().forEach(this::end);
            after = page.next();
        } while (after != null);
    }

    private void end(Stored stored) {
        ObjectNode tree = stored.resource().spec().tree();
        if (!InsightDocument.endAllOf(tree, controlPlane, time.instant())) {
            return;
        }
        try {
            store.put(new Change.Put(
                    stored.resource().withSpec(Document.of(tree)),
                    Expected.exactly(stored.revision()),
                    stored.owner()));
        } catch (StoreException e) {
            // Written by somebody else at this moment, who ends what was open before.
            if (!(e.failure() instanceof Failure.Conflict)) {
                throw e;
            }
        }
    }
}
