package io.parley.control.model;

import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.policy.PolicySpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A policy: what it says, typed and as it was written. Two are the same only if they are the same object. */
public final class Policy {
    /** Where a policy was made; a later one wins over an earlier one that targets the same kind. */
    public enum Origin {
        GLOBAL("global"),
        UNLABELLED("unlabelled"),
        ZONE("zone");

        private final String word;

        Origin(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /** On whose behalf it speaks, the weakest first. */
    public enum Role {
        SYSTEM("system"),
        PRODUCER("producer"),
        CONSUMER("consumer"),
        WORKLOAD_OWNER("workload-owner");

        private final String word;

        Role(String word) {
            this.word = word;
        }

        static Role of(@Nullable String label) {
            for (Role role : values()) {
                if (role.word.equals(label)) {
                    return role;
                }
            }
            return SYSTEM;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    private final ResourceKey key;
    private final Map<String, String> labels;
    private final PolicySpec<?> spec;
    private final List<PolicyItem> items;

    Policy(Resource resource, PolicySpec<?> spec) {
        this.key = resource.key();
        this.labels = resource.labels();
        this.spec = spec;
        this.items = PolicyItem.of(this, resource.spec().tree());
    }

    public ResourceKey key() {
        return key;
    }

    public KindId kind() {
        return key.kind();
    }

    public String mesh() {
        return key.space();
    }

    public Map<String, String> labels() {
        return labels;
    }

    public PolicySpec<?> spec() {
        return spec;
    }

    /** What it sets, in the order in which it is written. */
    public List<PolicyItem> items() {
        return items;
    }

    public Origin origin() {
        return switch (labels.getOrDefault(Names.ORIGIN, "")) {
            case "global" -> Origin.GLOBAL;
            case "zone" -> Origin.ZONE;
            default -> Origin.UNLABELLED;
        };
    }

    public Role role() {
        return Role.of(labels.get(Names.ROLE));
    }

    /** Whether it came with the mesh, and is not what anybody has written. */
    public boolean isInitial() {
        return labels.containsKey(Names.INITIAL);
    }

    public @Nullable String zone() {
        return labels.get(Names.ZONE);
    }

    public @Nullable String namespace() {
        return labels.get(Names.NAMESPACE);
    }

    /** The name that people gave it, before synchronisation between zones made it unique. */
    public String displayName() {
        return labels.getOrDefault(Names.DISPLAY_NAME, key.name());
    }

    /** Whether it is only looked at, and acts on nothing. */
    public boolean isShadow() {
        return "shadow".equals(labels.get(Names.EFFECT));
    }

    @Override
    public String toString() {
        return kind() + "/" + key.name();
    }
}
