package io.parley.sync.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.sync.ReleaseDistance;
import io.parley.resource.Document;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of a zone as a ZoneInsight, field names as Kuma has them. */
public final class ZoneInsights {
    private static final int MOST_SUBSCRIPTIONS = 10;
    private static final String SUBSCRIPTIONS = "subscriptions";
    private static final String CONNECTED = "connectTime";
    private static final String DISCONNECTED = "disconnectTime";
    private static final String ADDRESS = "globalAddress";
    private static final String REJECTIONS = "rejections";
    private static final String REFUSAL = "lastRefusal";
    private static final String TIME = "time";

    private ZoneInsights() {}

    /**
     * The control plane that writes.
     *
     * @param address where others reach it; empty if they do not
     */
    record Self(String release, String address) {}

    /**
     * A global control plane to which a zone is connected.
     *
     * @param address where others reach it; empty if they do not
     */
    public record Host(String instance, String address) {}

    /** Where the zone is connected: its newest connection that lasts, if there is one. */
    public static Optional<Host> host(Document insight) {
        Optional<JsonNode> newest = Optional.empty();
        for (JsonNode subscription : insight.tree().path(SUBSCRIPTIONS)) {
            if (isOpen(subscription)) {
                newest = Optional.of(subscription);
            }
        }
        return newest.map(found -> new Host(
                found.path("globalInstanceId").asText(), found.path(ADDRESS).asText()));
    }

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
        return subscription.hasNonNull(CONNECTED) && !subscription.hasNonNull(DISCONNECTED);
    }

    /** The insight of before with what this control plane has seen put in; what others have seen stays. */
    static Document merge(Document before, ZoneStatus.Report report, Self self) {
        ObjectNode insight = before.tree();
        Map<String, ObjectNode> byId = new LinkedHashMap<>();
        for (JsonNode subscription : insight.path(SUBSCRIPTIONS)) {
            if (subscription instanceof ObjectNode object) {
                closeIfLeftOpen(object, report);
                byId.put(object.path("id").asText(), object);
            }
        }
        report.subscriptions().forEach(one -> byId.put(one.id(), json(one, report, self)));
        List<ObjectNode> all = List.copyOf(byId.values());
        ArrayNode kept = insight.putArray(SUBSCRIPTIONS);
        all.subList(Math.max(0, all.size() - MOST_SUBSCRIPTIONS), all.size()).forEach(kept::add);
        if (report.health() != null) {
            insight.putObject("healthCheck").put(TIME, text(report.health()));
        }
        report.rejections().forEach((about, note) -> put(insight, about, note));
        putRefusal(insight, report.refusal());
        return Document.of(insight);
    }

    private static void put(ObjectNode insight, Rejections.About about, Optional<ZoneStatus.Note> note) {
        ObjectNode ofDirection =
                object(object(insight, REJECTIONS), about.direction().field());
        note.ifPresentOrElse(
                stands -> ofDirection.set(about.kind(), json(stands)), () -> ofDirection.remove(about.kind()));
    }

    private static ObjectNode object(ObjectNode in, String field) {
        return in.get(field) instanceof ObjectNode present ? present : in.putObject(field);
    }

    /** The last one that anybody knows of, until the zone is let in after it. */
    private static void putRefusal(ObjectNode insight, ZoneStatus.@Nullable Note refusal) {
        Instant known = time(insight.path(REFUSAL).path(TIME));
        if (refusal != null && refusal.time().isAfter(known)) {
            insight.set(REFUSAL, json(refusal));
            known = refusal.time();
        }
        for (JsonNode subscription : insight.path(SUBSCRIPTIONS)) {
            if (time(subscription.path(CONNECTED)).isAfter(known)) {
                insight.remove(REFUSAL);
            }
        }
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

    private static ObjectNode json(Subscription subscription, ZoneStatus.Report report, Self self) {
        ObjectNode json = Document.EMPTY.tree();
        json.put("id", subscription.id());
        json.put("globalInstanceId", report.globalInstance());
        if (!self.address().isEmpty()) {
            json.put(ADDRESS, self.address());
        }
        json.put(CONNECTED, text(subscription.connected()));
        if (subscription.disconnected() != null) {
            json.put(DISCONNECTED, text(subscription.disconnected()));
        }
        json.put("generation", subscription.generation());
        json.put("zoneInstanceId", report.peer().instance());
        json.put("authTokenProvided", true);
        report.peer().version().ifPresent(version -> json.put("syncVersion", version.toString()));
        ArrayNode features = json.putArray("features");
        report.peer().features().texts().forEach(features::add);
        ObjectNode version = json.putObject("version").putObject("kumaCp");
        version.put("version", report.peer().release());
        version.put("kumaCpGlobalCompatible", ReleaseDistance.near(report.peer().release(), self.release()));
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

    private static ObjectNode json(ZoneStatus.Note note) {
        return Document.EMPTY.tree().put(TIME, text(note.time())).put("because", note.text());
    }

    private static String text(Instant time) {
        return time.toString();
    }

    /** The beginning of time for what is no time. */
    private static Instant time(JsonNode text) {
        try {
            return Instant.parse(text.asText());
        } catch (DateTimeParseException _) {
            return Instant.MIN;
        }
    }
}
