package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;

/** What clients do. */
interface Load {
    /** Makes this many requests in all, and fails if one of them fails. */
    void run(InetSocketAddress address, int requests) throws IOException, InterruptedException;
}
