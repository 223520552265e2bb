package io.parley.bench.xds;

import io.grpc.netty.NettyServerBuilder;

/** A control plane that is measured. */
interface Subject {
    void register(NettyServerBuilder server);

    /** Gives one cluster other endpoints. */
    void change(int cluster, int port);
}
