package io.parley.control.policy;

import io.parley.control.model.PolicyItem;
import io.parley.resource.KindId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers what lists of settings add up to: most proxies of a mesh are under the same policies. Bounded, and safe for use by
 * several threads; the same question always has the same answer.
 */
public final class Merges {
    private static final int MOST = 10_000;

    private record Question(KindId kind, List<PolicyItem> items) {}

    private final Map<Question, Merged<?>> answers = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, Merged<?>> eldest) {
            return size() > MOST;
        }
    };

    @SuppressWarnings("unchecked") // the kind decides the type of the answer
    <C> Merged<C> of(PolicyKind<C> kind, List<PolicyItem> items) {
        Question question = new Question(kind.id(), items);
        synchronized (answers) {
            Merged<?> known = answers.get(question);
            if (known == null) {
                known = Merge.of(kind, items);
                answers.put(question, known);
            }
            return (Merged<C>) known;
        }
    }
}
