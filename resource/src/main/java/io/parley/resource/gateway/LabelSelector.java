package io.parley.resource.gateway;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.List;
import java.util.Map;

/** Picks objects by their labels; all that is given must fit. */
public record LabelSelector(Map<String, String> labels, List<Requirement> requirements) {
    /** How a label is compared. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST
    }

    /** What one label must be. */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        private boolean fits(Map<String, String> found) {
            String value = found.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
            };
        }
    }

    private static final Choices<Operator> OPERATORS = Choices.camelCase(Operator.class);

    public LabelSelector {
        labels = Map.copyOf(labels);
        requirements = List.copyOf(requirements);
    }

    static LabelSelector read(Fields fields) {
        return new LabelSelector(
                fields.at("matchLabels").texts(),
                fields.at("matchExpressions")
                        .objects(each -> new Requirement(
                                each.at("key").requireText(),
                                each.at("operator").requireChoice(OPERATORS),
                                each.at("values").list(Field::requireText))));
    }

    public boolean matches(Map<String, String> found) {
        return found.entrySet().containsAll(labels.entrySet())
                && requirements.stream().allMatch(each -> each.fits(found));
    }
}
