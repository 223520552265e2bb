package io.parley.xds.client.resource;

import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.FederatedName;
import io.parley.xds.type.ResourceType;
import java.util.Optional;

/**
 * The name of a resource: plain text, or {@code xdstp://authority/type/id?context} (gRPC A47).
 *
 * @param authority empty for plain names
 * @param text the one spelling under which the resource is kept and asked for
 */
public record ResourceName(String authority, String text) {
    private static final String SCHEME = "xdstp://";

    /** Reads a name that somebody wants to watch; nothing if it looks federated and is not a name of this type. */
    public static Optional<ResourceName> parse(ResourceType type, String name) {
        if (!name.startsWith(SCHEME)) {
            return name.isEmpty() ? Optional.empty() : Optional.of(new ResourceName("", name));
        }
        String rest = name.substring(SCHEME.length());
        int slash = rest.indexOf('/');
        if (slash < 0 || !isPathOf(type, rest.substring(slash + 1)) || !FederatedName.isWellFormed(name)) {
            return Optional.empty();
        }
        return Optional.of(new ResourceName(rest.substring(0, slash), canonical(name)));
    }

    /** The spelling under which a name is kept, see {@link FederatedName#canonical}. */
    public static String canonical(String name) {
        return FederatedName.canonical(name);
    }

    private static boolean isPathOf(ResourceType type, String path) {
        String url = type.url(ApiVersion.V3);
        String prefix = url.substring(url.lastIndexOf('/') + 1) + "/";
        return path.startsWith(prefix) && path.length() > prefix.length();
    }
}
