package io.parley.bench.proxy;

/** A kind of work. To add one, say how the proxies are set up, what is done and how often, and what is aimed at. */
enum Row {
    SMALL("opaque TCP, small requests", Setup.CLEAR, Load.SMALL, 60_000, 0.95),
    BULK("opaque TCP, bulk (64 KiB each way)", Setup.CLEAR, Load.BULK, 20_000, 0.9),
    NEW("opaque TCP, a new connection each", Setup.CLEAR, Load.NEW_CONNECTION, 15_000, 1.2),
    MTLS_KEPT("two-hop mTLS, small, kept", Setup.TWO_HOPS, Load.SMALL, 40_000, 0.95),
    MTLS_NEW("two-hop mTLS, a new connection each", Setup.TWO_HOPS, Load.NEW_CONNECTION, 2_000, 1.1);

    /** What stands between client and server. */
    enum Setup {
        /** One proxy, no TLS. */
        CLEAR,

        /** One proxy beside the client, one beside the server, mutual TLS between them. */
        TWO_HOPS
    }

    final String title;
    final Setup setup;
    final Load load;
    final int requests;

    /** The most processor time of ours, as a share of the best other's. */
    final double goal;

    Row(String title, Setup setup, Load load, int requests, double goal) {
        this.title = title;
        this.setup = setup;
        this.load = load;
        this.requests = requests;
        this.goal = goal;
    }
}
