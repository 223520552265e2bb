package io.parley.resource.policy.healthcheck;

import static io.parley.resource.read.DurationRange.ABOVE_ZERO;

import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a MeshHealthCheck sets. */
public record HealthCheck(
        @Nullable Duration interval,
        @Nullable Duration timeout,
        @Nullable Integer unhealthyThreshold,
        @Nullable Integer healthyThreshold,
        @Nullable Duration initialJitter,
        @Nullable Duration intervalJitter,
        @Nullable Integer intervalJitterPercent,
        @Nullable BigDecimal healthyPanicThreshold,
        @Nullable Boolean failTrafficOnPanic,
        @Nullable String eventLogPath,
        @Nullable Boolean alwaysLogHealthCheckFailures,
        @Nullable Duration noTrafficInterval,
        @Nullable Boolean reuseConnection,
        Probes probes) {
    /** How each protocol is probed; null where it is not. */
    public record Probes(
            @Nullable TcpProbe tcp,
            @Nullable HttpProbe http,
            @Nullable GrpcProbe grpc) {}

    static HealthCheck read(Fields fields) {
        fields.needAnyOf("tcp", "http", "grpc");
        return new HealthCheck(
                fields.at("interval").duration(ABOVE_ZERO),
                fields.at("timeout").duration(ABOVE_ZERO),
                fields.at("unhealthyThreshold").integer(IntRange.ABOVE_ZERO),
                fields.at("healthyThreshold").integer(IntRange.ABOVE_ZERO),
                fields.at("initialJitter").duration(ABOVE_ZERO),
                fields.at("intervalJitter").duration(ABOVE_ZERO),
                fields.at("intervalJitterPercent").integer(IntRange.PERCENT),
                fields.at("healthyPanicThreshold").percentage(),
                fields.at("failTrafficOnPanic").flag(),
                fields.at("eventLogPath").text("an absolute path", path -> path.startsWith("/")),
                fields.at("alwaysLogHealthCheckFailures").flag(),
                fields.at("noTrafficInterval").duration(ABOVE_ZERO),
                fields.at("reuseConnection").flag(),
                new Probes(
                        fields.at("tcp").object(TcpProbe::read),
                        fields.at("http").object(HttpProbe::read),
                        fields.at("grpc").object(GrpcProbe::read)));
    }
}
