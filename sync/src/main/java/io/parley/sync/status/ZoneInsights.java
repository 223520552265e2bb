package io.parley.sync.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.sync.ReleaseDistance;
import io.parley.resource.Document;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of a zone as a ZoneInsight, field names as Kuma has them. */
public final class ZoneInsights {
    private static final int MOST_SUBSCRIPTIONS = 10;
    private static final String SUBSCRIPTIONS = "subscriptions";
    private static final String DISCONNECTED = "disconnectTime";

    private ZoneInsights() {}

    /** Whether some connection of the zone lasts. */
    public static boolean isOnline(Document insight) {
        for (JsonNode subscription : insight.tree().path(SUBSCRIPTIONS)) {
            if (isOpen(subscription)) {
                return true;
            }
        }
        return false;
    }

    static boolean isOpen(JsonNode subscription) {
        return subscription.hasNonNull("connectTime") && !subscription.hasNonNull(DISCONNECTED);
    }

    /** The insight of before with what this control plane has seen put in; what others have seen stays. */
    static Document merge(Document before, ZoneStatus.Report report, String release) {
        ObjectNode insight = before.tree();
        Map<String, ObjectNode> byId = new LinkedHashMap<>();
        for (JsonNode subscription : insight.path(SUBSCRIPTIONS)) {
            if (subscription instanceof ObjectNode object) {
                closeIfLeftOpen(object, report);
                byId.put(object.path("id").asText(), object);
            }
        }
        report.subscriptions().forEach(one -> byId.put(one.id(), json(one, report, release)));
        List<ObjectNode> all = List.copyOf(byId.values());
        ArrayNode kept = insight.putArray(SUBSCRIPTIONS);
        all.subList(Math.max(0, all.size() - MOST_SUBSCRIPTIONS), all.size()).forEach(kept::add);
        if (report.health() != null) {
            insight.putObject("healthCheck").put("time", text(report.health()));
        }
        put(insight, "lastRejection", report.rejection());
        put(insight, "lastRefusal", report.refusal());
        return Document.of(insight);
    }

    /** A subscription of this very instance that it does not know is from before it restarted. */
    private static void closeIfLeftOpen(ObjectNode subscription, ZoneStatus.Report report) {
        boolean ours = subscription.path("globalInstanceId").asText().equals(report.globalInstance());
        if (ours && isOpen(subscription) && !report.subscriptions().isEmpty()) {
            subscription.put(
                    DISCONNECTED, text(report.subscriptions().getFirst().connected()));
        }
    }

    /** Closes open subscriptions with these ids. */
    static Document close(Document insight, List<String> ids, Instant at) {
        ObjectNode tree = insight.tree();
        for (JsonNode subscription : tree.path(SUBSCRIPTIONS)) {
            if (subscription instanceof ObjectNode object
                    && isOpen(object)
                    && ids.contains(object.path("id").asText())) {
                object.put(DISCONNECTED, text(at));
            }
        }
        return Document.of(tree);
    }

    private static ObjectNode json(Subscription subscription, ZoneStatus.Report report, String release) {
        ObjectNode json = Document.EMPTY.tree();
        json.put("id", subscription.id());
        json.put("globalInstanceId", report.globalInstance());
        json.put("connectTime", text(subscription.connected()));
        if (subscription.disconnected() != null) {
            json.put(DISCONNECTED, text(subscription.disconnected()));
        }
        json.put("generation", subscription.generation());
        json.put("zoneInstanceId", report.peer().instance());
        json.put("authTokenProvided", true);
        ObjectNode version = json.putObject("version").putObject("kumaCp");
        version.put("version", report.peer().release());
        version.put("kumaCpGlobalCompatible", ReleaseDistance.near(report.peer().release(), release));
        ObjectNode status = json.putObject("status");
        if (subscription.updated() != null) {
            status.put("lastUpdateTime", text(subscription.updated()));
        }
        KindCounts total = subscription.counts().values().stream().reduce(KindCounts.NONE, KindCounts::plus);
        put(status.putObject("total"), total);
        ObjectNode byKind = status.putObject("stat");
        subscription.counts().forEach((kind, counts) -> put(byKind.putObject(kind), counts));
        return json;
    }

    private static void put(ObjectNode json, KindCounts counts) {
        json.put("responsesSent", counts.sent());
        json.put("responsesAcknowledged", counts.acknowledged());
        json.put("responsesRejected", counts.rejected());
        json.put("resourcesReceived", counts.received());
        json.put("resourcesRefused", counts.refused());
    }

    private static void put(ObjectNode insight, String field, ZoneStatus.@Nullable Note note) {
        if (note == null) {
            insight.remove(field);
        } else {
            insight.putObject(field).put("time", text(note.time())).put("because", note.text());
        }
    }

    private static String text(Instant time) {
        return time.toString();
    }
}
