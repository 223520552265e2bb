package io.parley.bench.xds;

import io.grpc.netty.NettyServerBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.util.concurrent.EventExecutorGroup;
import io.parley.xds.server.ServerLimits;
import io.parley.xds.server.SnapshotSource.Admission;
import io.parley.xds.server.TurnExecutors;
import io.parley.xds.server.XdsServer;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.util.concurrent.ForkJoinPool;

/** Our server. */
final class ParleySubject implements Subject {
    private final LiveSnapshot live = new LiveSnapshot(Snapshot.EMPTY
            .with(
                    ResourceType.CLUSTER,
                    ResourceSet.of(Resources.clusters().stream()
                            .map(EncodedResource::of)
                            .toList()))
            .with(
                    ResourceType.ENDPOINT,
                    ResourceSet.of(Resources.endpoints().stream()
                            .map(EncodedResource::of)
                            .toList())));

    @Override
    public void register(NettyServerBuilder server, EventExecutorGroup loops) {
        XdsServer.builder(_ -> new Admission.Serve(live))
                .turnsOn(TurnExecutors.eventLoops(loops, ForkJoinPool.commonPool()))
                .meters(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)) // as in the control plane
                .limits(ServerLimits.DEFAULT.withOpens(1_000_000, 1_000_000))
                .build()
                .register(server);
    }

    @Override
    public void change(int cluster, int port) {
        Snapshot current = live.current().orElseThrow();
        EncodedResource changed = EncodedResource.of(Resources.endpoints(Resources.name(cluster), port));
        live.publish(current.with(
                ResourceType.ENDPOINT, current.resources(ResourceType.ENDPOINT).with(changed)));
    }
}
