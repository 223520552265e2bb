package io.parley.proxy.config.file;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.AddressText;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.ClusterConfig.Breaker;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Routing.Unknown;
import io.parley.proxy.tls.PeerIdentity;
import io.parley.resource.read.Choices;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.wire.header.HeaderMagic;
import io.parley.wire.name.DnsName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code outbound} part of a file. */
final class OutboundReader {
    private static final InetSocketAddress DEFAULT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4140);
    private static final Choices<Unknown> UNKNOWN = Words.of(Unknown.class);
    private static final Choices<HeaderMagic> HEADERS = Words.of(HeaderMagic.class);
    private static final Choices<Version> SPOKEN =
            Choices.by(List.of(Version.AS_RECEIVED, Version.HTTP1, Version.HTTP2), Words::word);

    private final Overrides overrides;
    private final Limits limits;
    private final Map<String, String> places;
    private final List<ListenerConfig> listeners = new ArrayList<>();
    private final Map<String, ClusterConfig> clusters = new HashMap<>();
    private final Map<InetSocketAddress, OutboundTarget> byAddress = new HashMap<>();
    private final Map<String, OutboundTarget> byName = new HashMap<>();

    /** Notes in {@code places} what asks for each listener's address. */
    OutboundReader(Overrides overrides, Limits limits, Map<String, String> places) {
        this.overrides = overrides;
        this.limits = limits;
        this.places = places;
    }

    List<ListenerConfig> listeners() {
        return listeners;
    }

    Map<String, ClusterConfig> clusters() {
        return clusters;
    }

    /** Services by {@code name:port}, as connection headers name them. */
    Map<String, OutboundTarget> byName() {
        return byName;
    }

    @Nullable
    Void read(Fields outbound) {
        List<String> names = new ArrayList<>();
        outbound.at("services").objects(fields -> service(fields, names));
        InetSocketAddress written = Addresses.or(outbound.at("address"), DEFAULT);
        InetSocketAddress address = overrides.outbound() == null ? written : overrides.outbound();
        Destinations destinations =
                outbound.at("destinations").choiceOr(Destinations.KERNEL, InboundReader.DESTINATIONS);
        Unknown unknown = outbound.at("unknown").choiceOr(Unknown.PASS, UNKNOWN);
        places.put(
                "outbound",
                overrides.outbound() == null ? "outbound.address, or --outbound HOST:PORT" : "--outbound HOST:PORT");
        listeners.add(new ListenerConfig(
                "outbound",
                Direction.OUTBOUND,
                address,
                destinations,
                new Routing.ByDestination(byAddress, unknown),
                limits));
        return null;
    }

    private OutboundTarget service(Fields fields, List<String> names) {
        String name = fields.at("name").requireText("a DNS name", DnsName::isValid);
        int port = fields.at("port").requireInteger(IntRange.PORT);
        String key = name + ":" + port;
        if (names.contains(key)) {
            fields.fail("name", key + " is there twice (expected: one service for each name and port)");
        }
        names.add(key);
        OutboundTarget target = new OutboundTarget(
                key, Declarations.protocol(fields, port, Declarations.DEFAULT_OPAQUE, Declarations.defaultList()), key);
        byName.put(key, target);
        clusters.put(
                key,
                new ClusterConfig(
                        key,
                        fields.at("endpoints").requireObjects(this::endpoint),
                        breaker(fields.at("breaker")),
                        HttpUpstream.DEFAULT.in(fields.at("speaks").choiceOr(Version.AS_RECEIVED, SPOKEN), null),
                        new Balancing.LeastLoaded(),
                        null,
                        null));
        for (InetSocketAddress address : fields.at("addresses").list(Addresses::require)) {
            if (byAddress.putIfAbsent(address, target) != null) {
                fields.fail("addresses", AddressText.of(address) + " belongs to another service already");
            }
        }
        listen(fields, target);
        return target;
    }

    private void listen(Fields fields, OutboundTarget target) {
        if (fields.at("listen").isPresent()) {
            String name = "outbound " + target.name();
            places.put(name, fields.path() + ".listen");
            listeners.add(new ListenerConfig(
                    name,
                    Direction.OUTBOUND,
                    Addresses.require(fields.at("listen")),
                    Destinations.LISTENER,
                    new Routing.Fixed(target),
                    limits));
        }
    }

    private Endpoint endpoint(Fields fields) {
        InetSocketAddress address = Addresses.requireDialled(fields.at("address"));
        boolean meshed = fields.hasAny("proxy", "identity", "serverName", "header", "name", "hint");
        return new Endpoint(address, meshed ? mesh(fields) : null);
    }

    private static Endpoint.Mesh mesh(Fields fields) {
        SpiffeId identity = Declarations.spiffe(fields.at("identity"));
        String serverName = fields.at("serverName").text("a DNS name", DnsName::isValid);
        Protocol hint = fields.at("hint").choiceOr(Protocol.DETECT, Declarations.PROTOCOLS);
        return new Endpoint.Mesh(
                Addresses.requireDialled(fields.at("proxy")),
                identity,
                serverName == null ? PeerIdentity.serverName(identity) : serverName,
                fields.at("header").choiceOr(HeaderMagic.SHIPPED, HEADERS),
                fields.at("name").text("a DNS name", DnsName::isValid),
                hint);
    }

    private static Breaker breaker(Field field) {
        Breaker absent = Breaker.DEFAULT;
        Breaker written = field.object(fields -> new Breaker(
                or(fields.at("maxConnections").integer(IntRange.ABOVE_ZERO), absent.maxConnections()),
                or(fields.at("maxPending").integer(IntRange.ABOVE_ZERO), absent.maxPending()),
                or(fields.at("failures").integer(IntRange.ABOVE_ZERO), absent.failures()),
                or(fields.at("ejection").duration(DurationRange.ABOVE_ZERO), absent.ejection()),
                or(fields.at("maxEjectedPercent").integer(IntRange.PERCENT), absent.maxEjectedPercent())));
        return written == null ? absent : written;
    }

    private static int or(@Nullable Integer value, int absent) {
        return value == null ? absent : value;
    }

    private static Duration or(@Nullable Duration value, Duration absent) {
        return value == null ? absent : value;
    }
}
