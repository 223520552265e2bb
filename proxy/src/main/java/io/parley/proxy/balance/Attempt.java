package io.parley.proxy.balance;

/** One connection to an endpoint, from the moment it is chosen to the moment it is closed. Used on one event loop only. */
public final class Attempt {
    private enum Stage {
        OPENING,
        OPEN,
        OVER
    }

    private final Cluster cluster;
    private final LiveEndpoint endpoint;
    private final long since;
    private Stage stage = Stage.OPENING;

    Attempt(Cluster cluster, LiveEndpoint endpoint, long since) {
        this.cluster = cluster;
        this.endpoint = endpoint;
        this.since = since;
    }

    public LiveEndpoint endpoint() {
        return endpoint;
    }

    public String cluster() {
        return cluster.name();
    }

    /** The endpoint can be used. */
    public void connected() {
        if (stage == Stage.OPENING) {
            stage = Stage.OPEN;
            cluster.connected(endpoint, since);
        }
    }

    /**
     * The endpoint could not be reached, or is not who it should be; or this machine has no socket, port or certificate to dial it with, which is
     * not its fault. Tells whether it is.
     */
    public boolean failed(Throwable cause) {
        boolean guilty = !Shortage.isBehind(cause);
        if (!guilty) {
            closed();
        } else if (stage == Stage.OPENING) {
            stage = Stage.OVER;
            cluster.failed(endpoint);
        }
        return guilty;
    }

    /** The connection is no more, or is no longer wanted; the endpoint is not to blame. */
    public void closed() {
        switch (stage) {
            case OPENING -> cluster.abandoned(endpoint);
            case OPEN -> cluster.closed(endpoint);
            case OVER -> {}
        }
        stage = Stage.OVER;
    }
}
