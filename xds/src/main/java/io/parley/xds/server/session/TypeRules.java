package io.parley.xds.server.session;

/**
 * What the protocol says of one type of resource.
 *
 * @param completeness what a state-of-the-world answer must carry
 * @param emptyList what a client means that never named a resource
 * @param rank place in the order of pushes on an aggregated stream, from 1; 0: in no order
 * @param removal whether what is gone is taken away at once or only when types of higher rank no longer point to it
 */
public record TypeRules(Completeness completeness, EmptyList emptyList, int rank, Removal removal) {
    /** What a state-of-the-world answer carries. */
    public enum Completeness {
        /** Every subscribed resource: absence means deletion. */
        EVERYTHING,
        /** Any of them: what is absent stays as it was. */
        CHANGED_ONLY
    }

    /** What an empty list of names means on a stream that never named any. */
    public enum EmptyList {
        WILDCARD,
        NOTHING
    }

    /** When a removal reaches the client. */
    public enum Removal {
        AT_ONCE,
        LAST
    }

    /** For types outside xDS: an empty list is all there is, and no order. */
    public static final TypeRules UNORDERED_WILDCARD =
            new TypeRules(Completeness.CHANGED_ONLY, EmptyList.WILDCARD, 0, Removal.AT_ONCE);
}
