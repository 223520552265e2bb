package io.parley.resource.policy.retry;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.List;
import java.util.Map;

/**
 * Which endpoints a further try leaves out.
 *
 * @param tags of the endpoints left out, where the predicate goes by tags
 * @param updateFrequency how many tries share a priority, where it goes by priority; 0 otherwise
 */
public record HostSelection(Predicate predicate, Map<String, String> tags, int updateFrequency) {
    /** What it goes by. */
    public enum Predicate {
        OMIT_PREVIOUS_HOSTS,
        OMIT_HOSTS_WITH_TAGS,
        OMIT_PREVIOUS_PRIORITIES
    }

    private static final Choices<Predicate> PREDICATES = Choices.camelCase(Predicate.class);

    static List<HostSelection> readAll(Field field) {
        List<HostSelection> all = field.objects(HostSelection::read);
        long byPriority = all.stream()
                .filter(selection -> selection.predicate == Predicate.OMIT_PREVIOUS_PRIORITIES)
                .count();
        if (byPriority > 1) {
            field.fail("OmitPreviousPriorities " + byPriority + " times (expected: at most once)");
        }
        return all;
    }

    private static HostSelection read(Fields fields) {
        Predicate predicate = fields.at("predicate").requireChoice(PREDICATES);
        boolean byTags = predicate == Predicate.OMIT_HOSTS_WITH_TAGS;
        boolean byPriority = predicate == Predicate.OMIT_PREVIOUS_PRIORITIES;
        if (byTags && !fields.has("tags")) {
            fields.fail("tags", "missing (expected: the tags of endpoints to leave out)");
        }
        Map<String, String> tags = fields.at("tags").tags();
        Field frequency = fields.at("updateFrequency");
        return new HostSelection(predicate, tags, byPriority ? frequency.requireInteger(IntRange.ABOVE_ZERO) : 0);
    }
}
