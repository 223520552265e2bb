package io.parley.xds.server.session;

/**
 * What a session is given besides requests and snapshots.
 *
 * @param names shared by all sessions of a server
 * @param controlPlane who answers, for people who read a client's state; may be empty
 */
public record SessionContext(
        TypePolicy types,
        ClientTraits traits,
        SessionLimits limits,
        SessionEvents events,
        NameSets names,
        String controlPlane,
        Recipient recipient) {
    public SessionContext(
            TypePolicy types,
            ClientTraits traits,
            SessionLimits limits,
            SessionEvents events,
            NameSets names,
            String controlPlane) {
        this(types, traits, limits, events, names, controlPlane, Recipient.ANYBODY);
    }
}
