package io.parley.proxy.http;

import org.jspecify.annotations.Nullable;

/**
 * What a server sees in place of what the client asked for.
 *
 * @param host null for the client's own
 */
public record Rewrite(PathRewrite path, @Nullable String host) {
    public static final Rewrite NONE = new Rewrite(new PathRewrite.None(), null);
}
