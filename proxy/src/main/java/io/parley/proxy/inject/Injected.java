package io.parley.proxy.inject;

import java.util.List;

/**
 * A manifest with proxies.
 *
 * @param text the manifest; what was not changed is as it was, comments and order included
 * @param notes what was done to each workload, or why nothing was, for people
 */
public record Injected(String text, List<String> notes) {
    public Injected {
        notes = List.copyOf(notes);
    }
}
