package io.parley.control.policy.healthcheck;

import static io.parley.control.draft.Protos.duration;
import static io.parley.control.draft.Protos.flag;
import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.core.v3.HealthCheck.Payload;
import io.envoyproxy.envoy.type.v3.CodecClientType;
import io.envoyproxy.envoy.type.v3.Int64Range;
import io.parley.control.draft.ClusterDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.Protos;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.model.Protocol;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.healthcheck.GrpcProbe;
import io.parley.resource.policy.healthcheck.HealthCheck;
import io.parley.resource.policy.healthcheck.HttpProbe;
import io.parley.resource.policy.healthcheck.MeshHealthCheck;
import io.parley.resource.policy.healthcheck.TcpProbe;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Probes endpoints in the way that fits what they take: gRPC, else HTTP, else a connection. */
public final class HealthCheckEffect implements PolicyEffect<HealthCheck> {
    public static final PolicyKind<HealthCheck> KIND = PolicyKind.traffic("MeshHealthCheck", MeshHealthCheck.READER);

    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int UNHEALTHY = 5;
    private static final int HEALTHY = 1;

    @Override
    public PolicyKind<HealthCheck> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<HealthCheck> matched, ProxyDraft draft) {
        for (ClusterDraft cluster : draft.clusters()) {
            matched.to(cluster.destination()).conf().ifPresent(check -> check(check, cluster));
        }
    }

    private static void check(HealthCheck check, ClusterDraft cluster) {
        io.envoyproxy.envoy.config.core.v3.HealthCheck.Builder probe = common(check);
        GrpcProbe grpc = check.probes().grpc();
        HttpProbe http = check.probes().http();
        TcpProbe tcp = check.probes().tcp();
        if (cluster.protocol() == Protocol.GRPC && grpc != null && isOn(grpc.disabled())) {
            grpc(grpc, probe);
        } else if (cluster.protocol().isHttp() && http != null && isOn(http.disabled())) {
            http(http, cluster.protocol(), probe);
        } else if (tcp != null && isOn(tcp.disabled())) {
            tcp(tcp, probe);
        } else {
            return;
        }
        cluster.cluster().addHealthChecks(probe);
        if (check.healthyPanicThreshold() != null) {
            cluster.cluster()
                    .getCommonLbConfigBuilder()
                    .getHealthyPanicThresholdBuilder()
                    .setValue(check.healthyPanicThreshold().doubleValue());
        }
        if (Boolean.TRUE.equals(check.failTrafficOnPanic())) {
            cluster.cluster()
                    .getCommonLbConfigBuilder()
                    .getZoneAwareLbConfigBuilder()
                    .setFailTrafficOnPanic(true);
        }
    }

    private static io.envoyproxy.envoy.config.core.v3.HealthCheck.Builder common(HealthCheck check) {
        var probe = io.envoyproxy.envoy.config.core.v3.HealthCheck.newBuilder()
                .setInterval(duration(check.interval() == null ? INTERVAL : check.interval()))
                .setTimeout(duration(check.timeout() == null ? TIMEOUT : check.timeout()))
                .setUnhealthyThreshold(number(or(check.unhealthyThreshold(), UNHEALTHY)))
                .setHealthyThreshold(number(or(check.healthyThreshold(), HEALTHY)));
        set(check.initialJitter(), probe::setInitialJitter);
        set(check.intervalJitter(), probe::setIntervalJitter);
        set(check.noTrafficInterval(), probe::setNoTrafficInterval);
        if (check.intervalJitterPercent() != null) {
            probe.setIntervalJitterPercent(check.intervalJitterPercent());
        }
        if (check.alwaysLogHealthCheckFailures() != null) {
            probe.setAlwaysLogHealthCheckFailures(check.alwaysLogHealthCheckFailures());
        }
        if (check.reuseConnection() != null) {
            probe.setReuseConnection(flag(check.reuseConnection()));
        }
        return probe;
    }

    private static void grpc(GrpcProbe grpc, io.envoyproxy.envoy.config.core.v3.HealthCheck.Builder probe) {
        var builder = probe.getGrpcHealthCheckBuilder();
        if (grpc.serviceName() != null) {
            builder.setServiceName(grpc.serviceName());
        }
        if (grpc.authority() != null) {
            builder.setAuthority(grpc.authority());
        }
    }

    private static void http(
            HttpProbe http, Protocol protocol, io.envoyproxy.envoy.config.core.v3.HealthCheck.Builder probe) {
        var builder = probe.getHttpHealthCheckBuilder().setPath(http.path() == null ? "/" : http.path());
        builder.setCodecClientType(protocol == Protocol.HTTP1 ? CodecClientType.HTTP1 : CodecClientType.HTTP2);
        http.expectedStatuses()
                .forEach(status -> builder.addExpectedStatuses(
                        Int64Range.newBuilder().setStart(status).setEnd(status + 1L)));
        if (http.requestHeadersToAdd() != null) {
            builder.addAllRequestHeadersToAdd(Protos.headers(http.requestHeadersToAdd()));
        }
    }

    private static void tcp(TcpProbe tcp, io.envoyproxy.envoy.config.core.v3.HealthCheck.Builder probe) {
        var builder = probe.getTcpHealthCheckBuilder();
        if (tcp.send() != null) {
            builder.setSend(payload(tcp.send()));
        }
        tcp.receive().forEach(text -> builder.addReceive(payload(text)));
    }

    /** The policy writes base64, Envoy wants hexadecimal digits. */
    private static Payload payload(String base64) {
        byte[] bytes = Base64.getDecoder().decode(base64);
        return Payload.newBuilder().setText(HexFormat.of().formatHex(bytes)).build();
    }

    private static boolean isOn(@Nullable Boolean disabled) {
        return !Boolean.TRUE.equals(disabled);
    }

    private static int or(@Nullable Integer value, int usual) {
        return value == null ? usual : value;
    }

    private static void set(@Nullable Duration value, Function<com.google.protobuf.Duration, ? extends Object> setter) {
        if (value != null) {
            var _ = setter.apply(duration(value));
        }
    }
}
