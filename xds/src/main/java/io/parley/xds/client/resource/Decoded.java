package io.parley.xds.client.resource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The resources of an answer, the sound ones apart from the others: one bad resource does not take its siblings down (gRPC A46).
 *
 * @param valid by name
 * @param invalid what is wrong, by name
 * @param nameless what is wrong with resources of which not even the name could be read
 * @param heartbeats how long resources live that are still there, unchanged, by name; nothing for one that does not expire
 */
public record Decoded<T>(
        Map<String, Versioned<T>> valid,
        Map<String, String> invalid,
        List<String> nameless,
        Map<String, Optional<Duration>> heartbeats) {
    public Decoded {
        valid = Collections.unmodifiableMap(new LinkedHashMap<>(valid));
        invalid = Collections.unmodifiableMap(new LinkedHashMap<>(invalid));
        nameless = List.copyOf(nameless);
        heartbeats = Collections.unmodifiableMap(new LinkedHashMap<>(heartbeats));
    }

    /**
     * A resource and the version that the server gave it.
     *
     * @param timeToLive after which it is to be forgotten, unless the server speaks of it again
     */
    public record Versioned<T>(T value, String version, Optional<Duration> timeToLive) {}

    /** Everything that is wrong with the answer; none if it is sound. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        invalid.forEach((name, problem) -> problems.add(name + ": " + problem));
        problems.addAll(nameless);
        return problems;
    }

    /** Whether the answer speaks of this resource, well or ill. */
    public boolean mentions(String name) {
        return valid.containsKey(name) || invalid.containsKey(name) || heartbeats.containsKey(name);
    }
}
