package io.parley.sync.copy;

import com.google.protobuf.Any;
import java.util.List;

/**
 * What a peer sent of one kind in one message.
 *
 * @param removed names that are gone; one that is among the items as well is an update
 * @param completes whether the first state is whole with this; of no meaning after that
 */
public record Delivery(List<Item> items, List<String> removed, boolean completes) {
    public Delivery {
        items = List.copyOf(items);
        removed = List.copyOf(removed);
    }

    /** About as many bytes as it takes. */
    long size() {
        long items = items().stream()
                .mapToLong(item -> item.name().length() + (long) item.resource().getSerializedSize())
                .sum();
        return items + removed.stream().mapToLong(String::length).sum();
    }

    /** One resource, still encoded. */
    public record Item(String name, String version, Any resource) {}
}
