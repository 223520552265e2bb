package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.gateway.attach.Attachment;
import io.parley.control.gateway.attach.Verdict;
import io.parley.control.gateway.route.BrokenReason;
import io.parley.control.gateway.route.ResolvedRoute;
import io.parley.control.gateway.route.ResolvedRoute.Trouble;
import io.parley.control.gateway.route.ResolvedRule;
import io.parley.resource.gateway.ParentRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Of a route: for each parent of ours whether it is let in there and where its references lead. */
public record RouteStatus(long generation, ResolvedRoute route, List<Attachment> attachments) implements Status {
    private static final Entries PARENTS = new Entries("parents", "parentRef", 32);

    public RouteStatus {
        attachments = List.copyOf(attachments);
    }

    @Override
    public ObjectNode after(ObjectNode earlier, Instant now) {
        List<Entries.Entry> entries = attachments.stream()
                .map(attachment -> new Entries.Entry(reference(attachment.parent()), conditions(attachment)))
                .toList();
        return PARENTS.write(earlier, entries, generation, now);
    }

    static ObjectNode reference(ParentRef parent) {
        ObjectNode ref = Conditions.object().put("group", parent.group()).put("kind", parent.kind());
        if (parent.namespace() != null) {
            ref.put("namespace", parent.namespace());
        }
        ref.put("name", parent.name());
        if (parent.sectionName() != null) {
            ref.put("sectionName", parent.sectionName());
        }
        if (parent.port() != null) {
            ref.put("port", parent.port());
        }
        return ref;
    }

    private List<Condition> conditions(Attachment attachment) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(Condition.of("Accepted", accepted(attachment)));
        conditions.add(Condition.of("ResolvedRefs", references()));
        List<ResolvedRule> dropped = route.dropped();
        if (!dropped.isEmpty() && dropped.size() < route.rules().size()) {
            conditions.add(new Condition("PartiallyInvalid", true, "UnsupportedValue", droppedRules()));
        }
        return conditions;
    }

    private Verdict accepted(Attachment attachment) {
        if (!attachment.accepted().good()) {
            return attachment.accepted();
        }
        if (route.areAllRulesDropped()) {
            return Verdict.bad("UnsupportedValue", droppedRules());
        }
        return route.hasOnlyUnsupportedBackends()
                ? Verdict.bad("UnsupportedProtocol", "no backend is left whose protocol can be spoken: " + troubles())
                : attachment.accepted();
    }

    private Verdict references() {
        Optional<BrokenReason> reason = route.trouble().stream()
                .map(each -> each.broken().reason())
                .filter(BrokenReason::isOfRoute)
                .min(Comparator.naturalOrder());
        if (reason.isPresent()) {
            return Verdict.bad(reason.get().word(), troubles());
        }
        String remarks = Stream.concat(route.trouble().stream().map(RouteStatus::text), route.remarks().stream())
                .collect(Collectors.joining("; "));
        return Verdict.good("ResolvedRefs", remarks.isEmpty() ? "all references are resolved" : remarks);
    }

    private String troubles() {
        return route.trouble().stream().map(RouteStatus::text).collect(Collectors.joining("; "));
    }

    private static String text(Trouble trouble) {
        return trouble.where() + ": " + trouble.broken().message();
    }

    private String droppedRules() {
        return route.dropped().stream()
                .map(rule -> "Dropped Rule " + rule.index() + ": " + rule.dropped())
                .collect(Collectors.joining("; "));
    }
}
