package io.parley.agreement.version;

import java.util.List;
import java.util.Optional;

/** A service that the control plane serves. Its own order decides between versions, the most preferred one being the first. */
public record OfferedService(String name, List<OfferedVersion> preferredFirst) {
    public OfferedService {
        preferredFirst = List.copyOf(preferredFirst);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("service name: empty (expected: a name such as config)");
        }
        long distinct =
                preferredFirst.stream().map(OfferedVersion::version).distinct().count();
        if (preferredFirst.isEmpty() || distinct != preferredFirst.size()) {
            throw new IllegalArgumentException(
                    "versions of " + name + ": " + preferredFirst + " (expected: at least one, each one once)");
        }
    }

    public static OfferedService of(String name, String... preferredFirst) {
        return new OfferedService(
                name, List.of(preferredFirst).stream().map(OfferedVersion::of).toList());
    }

    public List<String> versions() {
        return preferredFirst.stream().map(OfferedVersion::version).toList();
    }

    public Optional<OfferedVersion> find(String version) {
        return preferredFirst.stream().filter(v -> v.version().equals(version)).findFirst();
    }
}
