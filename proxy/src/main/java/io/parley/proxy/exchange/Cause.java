package io.parley.proxy.exchange;

/** Why the proxy answers in a server's place, or does not let an answer come to its end. */
public interface Cause {
    /** The word for it, for programs: in the answer, in metrics and in logs. */
    String word();

    /**
     * What a client is told of it, always in the same words. Addresses, names of objects and what the machine said are for those who run the mesh, who find them
     * in the log: a client may be anybody.
     */
    String told();

    /** Whether something is wrong with the mesh or a service in it, about which nothing else is logged. */
    default boolean isTrouble() {
        return false;
    }
}
