package io.parley.xds.client.resource;

import com.google.protobuf.ByteString;
import io.parley.xds.type.ResourceType;

/**
 * Turns the bytes of one type of resource into what its watchers want to have, and refuses what they could not use. The bytes of
 * v2 and v3 are the same message, so a parser knows no version; resources nested in an {@code Any} are opened by
 * {@link NestedTypes}.
 */
public interface ResourceParser<T> {
    ResourceType type();

    Parsed<T> parse(ByteString body);
}
