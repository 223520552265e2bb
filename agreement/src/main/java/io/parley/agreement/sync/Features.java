package io.parley.agreement.sync;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a peer announced that it can do. */
public record Features(Set<Feature> known) {
    public static final Features NONE = new Features(Set.of());

    public Features {
        known = known.isEmpty() ? Set.of() : Set.copyOf(known);
    }

    public static Features of(Feature... features) {
        return new Features(Set.of(features));
    }

    /** Reads what a peer lists; what we have not heard of is ignored. */
    public static Features parse(Collection<String> announced) {
        Set<Feature> known = EnumSet.noneOf(Feature.class);
        for (Feature feature : Feature.values()) {
            if (announced.contains(feature.text())) {
                known.add(feature);
            }
        }
        return new Features(known);
    }

    /** What is announced here or there. */
    public Features and(Features more) {
        Set<Feature> both = EnumSet.noneOf(Feature.class);
        both.addAll(known);
        both.addAll(more.known);
        return new Features(both);
    }

    public boolean has(Feature feature) {
        return known.contains(feature);
    }

    /** As they are announced, in a fixed order. */
    public List<String> texts() {
        return known.stream().sorted().map(Feature::text).toList();
    }
}
