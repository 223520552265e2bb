package io.parley.control.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.control.model.PolicyItem;
import io.parley.resource.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lays settings over each other, the strongest last, field by field (RFC 7396): lists are replaced, except those whose name
 * starts with {@code append}. Remembers for each field who set it and whom that overrode.
 */
final class Merge {
    /** Who set a field, and to what. */
    private record Setting(PolicyItem by, JsonNode value) {}

    private ObjectNode conf = JsonNodeFactory.instance.objectNode();
    private Map<String, List<Setting>> settings = new HashMap<>();

    private Merge() {}

    /**
     * Merges.
     *
     * @param items the weakest first
     */
    static <C> Merged<C> of(PolicyKind<C> kind, List<PolicyItem> items) {
        Merge merge = new Merge();
        List<Merged.LeftOut> left = new ArrayList<>();
        Optional<C> conf = Optional.empty();
        for (PolicyItem item : items) {
            ObjectNode lastConf = merge.conf.deepCopy();
            Map<String, List<Setting>> lastSettings = merge.copyOfSettings();
            merge.add(item, merge.conf, item.conf(), "");
            switch (kind.reader().apply(merge.conf.deepCopy())) {
                case Result.Accepted<C>(C value) -> conf = Optional.of(value);
                case Result.Rejected<C>(var violations) -> {
                    left.add(new Merged.LeftOut(item, violations));
                    merge.conf = lastConf;
                    merge.settings = lastSettings;
                }
            }
        }
        return new Merged<>(conf, merge.decisions(), left);
    }

    private void add(PolicyItem item, ObjectNode into, ObjectNode from, String prefix) {
        from.properties().forEach(field -> {
            String path = prefix.isEmpty() ? field.getKey() : prefix + "." + field.getKey();
            JsonNode value = field.getValue();
            if (value.isNull()) {
                into.remove(field.getKey());
                forget(path);
            } else if (value instanceof ObjectNode object) {
                if (!(into.get(field.getKey()) instanceof ObjectNode)) {
                    into.putObject(field.getKey());
                }
                add(item, (ObjectNode) into.get(field.getKey()), object, path);
            } else {
                set(item, into, field.getKey(), path, value);
            }
        });
    }

    private void set(PolicyItem item, ObjectNode into, String name, String path, JsonNode value) {
        if (name.startsWith("append") && value instanceof ArrayNode more) {
            into.withArray("/" + name).addAll(more);
        } else {
            into.set(name, value);
        }
        settings.computeIfAbsent(path, _ -> new ArrayList<>()).add(new Setting(item, value));
    }

    private void forget(String path) {
        settings.keySet().removeIf(each -> each.equals(path) || each.startsWith(path + "."));
    }

    private Map<String, List<Setting>> copyOfSettings() {
        Map<String, List<Setting>> copy = new HashMap<>();
        settings.forEach((path, list) -> copy.put(path, new ArrayList<>(list)));
        return copy;
    }

    private Map<String, Decision<JsonNode>> decisions() {
        Map<String, Decision<JsonNode>> decisions = new HashMap<>();
        settings.forEach((path, list) -> decisions.put(path, decision(path, list)));
        return decisions;
    }

    private static Decision<JsonNode> decision(String path, List<Setting> list) {
        Setting winner = list.getLast();
        Setting loser = list.size() > 1 ? list.get(list.size() - 2) : null;
        String rule = loser == null ? "the only policy that sets it" : Precedence.deciding(winner.by(), loser.by());
        return new Decision<>(
                winner.value(),
                because(winner, loser, rule),
                new Source(winner.by().policy().toString(), winner.by().path() + "." + path, rule));
    }

    private static String because(Setting winner, @Nullable Setting loser, String rule) {
        String origin = winner.by().policy().origin() == io.parley.control.model.Policy.Origin.UNLABELLED
                ? ""
                : winner.by().policy().origin() + " ";
        String from = "from " + origin + "policy " + winner.by().policy().displayName();
        return loser == null
                ? from
                : from + " over " + loser.by().policy().displayName() + " (" + shown(loser.value()) + "): " + rule;
    }

    private static String shown(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.isArray() ? value.size() + " items" : "an object";
    }
}
