package io.parley.xds.server.session;

import io.parley.xds.server.snapshot.EncodedResource;

/**
 * Who reads a stream, where more than one reader shares a snapshot that is not quite the same for all.
 *
 * @param name what comes from this reader is not sent back to it; empty for a reader that nothing comes from
 */
public record Recipient(String name, FirstState firstState) {
    /** Gets everything, in pieces if need be. */
    public static final Recipient ANYBODY = new Recipient("", FirstState.IN_PIECES);

    /** How the first delta answer of a wildcard must come. */
    public enum FirstState {
        /** In as many answers as it takes; the one that completes it, and no other, bears a system version. */
        IN_PIECES,
        /** The reader takes the first answer for everything there is (Kuma's zones do): whole, or not at all. */
        WHOLE
    }

    boolean sees(EncodedResource resource) {
        return name.isEmpty() || !resource.origin().equals(name);
    }
}
