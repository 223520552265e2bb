package io.parley.link.config;

import com.google.protobuf.ByteString;
import java.util.Map;

/**
 * All resources of one type that one node is to have.
 *
 * @param version of the whole, for people
 * @param resources by name
 */
public record ResourceState(String version, Map<String, Item> resources) {
    public ResourceState {
        resources = Map.copyOf(resources);
    }

    /** One resource: the version tells whether a node has it already. */
    public record Item(String version, ByteString value) {}
}
