package io.parley.bench.xds;

import io.grpc.netty.NettyServerBuilder;
import io.netty.util.concurrent.EventExecutorGroup;

/** A control plane that is measured. */
interface Subject {
    /**
     * Puts it on a server.
     *
     * @param loops on which that server runs
     */
    void register(NettyServerBuilder server, EventExecutorGroup loops);

    /** Gives one cluster other endpoints. */
    void change(int cluster, int port);
}
