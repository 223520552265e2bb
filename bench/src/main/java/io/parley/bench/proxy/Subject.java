package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A proxy program. */
interface Subject {
    String name();

    /** Whether it can be set up so at all. */
    boolean can(Setup setup);

    /** Whether ours is compared with it. */
    default boolean isPeer() {
        return true;
    }

    /** Set up between a client and the origin, and listening. */
    Processes start(Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException;

    static String text(InetSocketAddress address) {
        return "127.0.0.1:" + address.getPort();
    }
}
