package io.parley.resource.mesh;

import static io.parley.resource.read.DurationRange.ABOVE_ZERO;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A port of the workload that the proxy stands before.
 *
 * @param address where the proxy listens for it; null for the proxy's own address
 * @param servicePort of the workload; null for the same as {@code port}
 * @param protocol that the port takes, if it is declared
 * @param ready what a health checker found out, if there is one
 */
public record Inbound(
        @Nullable String name,
        int port,
        @Nullable String address,
        @Nullable Integer servicePort,
        @Nullable String serviceAddress,
        Map<String, String> tags,
        @Nullable String protocol,
        State state,
        @Nullable Boolean ready,
        @Nullable ServiceProbe serviceProbe) {
    /** Whether it serves. */
    public enum State {
        READY,
        NOT_READY,
        /** Not there at all for others, but named in the proxy's certificate. */
        IGNORED
    }

    /** How the proxy finds out whether the workload's port is open. */
    public record ServiceProbe(
            @Nullable Duration interval,
            @Nullable Duration timeout,
            @Nullable Integer unhealthyThreshold,
            @Nullable Integer healthyThreshold) {}

    private static final Choices<State> STATES = Choices.camelCase(State.class);
    private static final List<String> PROTOCOLS = List.of("tcp", "tls", "http", "http2", "grpc", "kafka");

    static Inbound read(Fields fields, String proxyAddress) {
        Map<String, String> tags = Networks.serviceTags(fields.at("tags"));
        String tagged = tags.get(Networks.PROTOCOL_TAG);
        if (tagged != null && !PROTOCOLS.contains(tagged)) {
            fields.fail("tags", Networks.PROTOCOL_TAG + " is " + tagged + " (expected: " + protocols() + ")");
        }
        String protocol = fields.at("protocol").text(protocols(), PROTOCOLS::contains);
        Inbound inbound = new Inbound(
                fields.at("name").text(),
                fields.at("port").requireInteger(IntRange.PORT),
                fields.at("address").text(Networks.IP, Networks::isIp),
                fields.at("servicePort").integer(new IntRange(0, 65535)),
                fields.at("serviceAddress").text(Networks.IP, Networks::isIp),
                tags,
                protocol == null ? tagged : protocol,
                fields.at("state").choiceOr(State.READY, STATES),
                fields.at("health").object(health -> health.at("ready").flagOr(false)),
                fields.at("serviceProbe").object(Inbound::serviceProbe));
        inbound.checkLoop(proxyAddress, fields);
        return inbound;
    }

    /** A proxy that forwards to where it listens would call itself for ever. */
    private void checkLoop(String proxyAddress, Fields fields) {
        String listening = address == null ? proxyAddress : address;
        boolean samePort = servicePort == null || servicePort == 0 || servicePort == port;
        if (samePort && listening.equals(serviceAddress)) {
            fields.fail("serviceAddress", serviceAddress + " (expected: another address or port than the proxy's own)");
        }
    }

    private static ServiceProbe serviceProbe(Fields fields) {
        fields.ignore("tcp");
        return new ServiceProbe(
                fields.at("interval").duration(ABOVE_ZERO),
                fields.at("timeout").duration(ABOVE_ZERO),
                fields.at("unhealthyThreshold").integer(IntRange.ABOVE_ZERO),
                fields.at("healthyThreshold").integer(IntRange.ABOVE_ZERO));
    }

    private static String protocols() {
        return "one of " + String.join(", ", PROTOCOLS);
    }
}
