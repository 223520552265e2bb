package io.parley.xds.server.session;

/**
 * In what a client differs from others, as far as the protocol must know.
 *
 * @param emptyList whether it means "all" when it names nothing (Envoy) or never does (gRPC)
 * @param names whether names on a wildcard type narrow it down, or are only what the client had before it reconnected
 *     (Envoy before 1.19, consul issue 12174)
 * @param expiry whether it understands {@code Resource.ttl}
 * @param wrapping whether it takes a {@code Resource} in a state-of-the-world answer
 * @param warming whether it waits for endpoints after each change of a cluster
 */
public record ClientTraits(EmptyList emptyList, Names names, Expiry expiry, Wrapping wrapping, Warming warming) {
    /** What an empty list means to the client. */
    public enum EmptyList {
        MAY_BE_WILDCARD,
        NEVER_WILDCARD
    }

    /** What names of a wildcard type mean. */
    public enum Names {
        NARROW,
        ECHO
    }

    /** Whether resources may expire. */
    public enum Expiry {
        UNDERSTOOD,
        UNKNOWN
    }

    /** Whether resources may come wrapped. */
    public enum Wrapping {
        UNDERSTOOD,
        UNKNOWN
    }

    /** Whether a changed cluster waits for its endpoints. */
    public enum Warming {
        NEEDED,
        NOT_NEEDED
    }

    /** Nothing known: what the specification promises of every client. */
    public static final ClientTraits PLAIN =
            new ClientTraits(EmptyList.MAY_BE_WILDCARD, Names.NARROW, Expiry.UNKNOWN, Wrapping.UNKNOWN, Warming.NEEDED);
}
