package io.parley.control.snapshot;

import com.google.protobuf.Message;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.util.Collection;
import java.util.List;

/** Turns messages into resources that are shared by content: proxies that are to have the same hold the same bytes. */
final class Encoder {
    private record Content(String name, String version) {}

    private final Shared<Content, EncodedResource> resources = new Shared<>();
    private final Shared<String, ResourceSet> sets = new Shared<>();
    private long encoded;

    EncodedResource encode(Message message) {
        encoded++;
        EncodedResource resource = EncodedResource.of(message);
        return resources.share(new Content(resource.name(), resource.version()), resource);
    }

    ResourceSet set(Collection<? extends Message> messages) {
        List<EncodedResource> all = messages.stream().map(this::encode).toList();
        return share(ResourceSet.of(all));
    }

    ResourceSet share(ResourceSet set) {
        return sets.share(set.size() + ":" + set.version(), set);
    }

    long encoded() {
        return encoded;
    }
}
