package io.parley.resource.manifest;

import io.parley.resource.Resource;
import java.util.List;

/** What a text of manifests holds. */
public sealed interface Manifests {
    /** The good ones, in the order of the text. */
    List<Resource> resources();

    /** All of it is good. */
    record Good(List<Resource> resources) implements Manifests {
        public Good {
            resources = List.copyOf(resources);
        }
    }

    /** Some of it is not. */
    record Faulty(List<Resource> resources, List<Problem> problems) implements Manifests {
        public Faulty {
            resources = List.copyOf(resources);
            problems = List.copyOf(problems);
        }
    }
}
