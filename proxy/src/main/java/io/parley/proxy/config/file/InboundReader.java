package io.parley.proxy.config.file;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortSet;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.proxy.AddressText;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Application;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Destinations;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.HttpDefaults;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@code inbound} part of a file. */
final class InboundReader {
    /** Whether the application is told who asks. */
    private enum Callers {
        UNTOLD,
        TOLD
    }

    static final Choices<Destinations> DESTINATIONS = Words.of(Destinations.class);
    private static final Choices<Callers> CALLERS = Words.of(Callers.class);
    private static final IntRange HOPS = new IntRange(0, HttpConfig.MOST_TRUSTED_HOPS);
    private static final InetSocketAddress DEFAULT = new InetSocketAddress("0.0.0.0", 4143);
    private static final String DIALLED = "dialled";

    private final Overrides overrides;
    private final Authorization members;
    private final Limits limits;
    private final HttpDefaults usual;
    private final Map<String, OutboundTarget> services;
    private final Map<String, String> places;

    private PortSet opaque = Declarations.DEFAULT_OPAQUE;
    private Source opaqueSource = Declarations.defaultList();

    /**
     * Who is a member of the mesh is said by {@code members}; {@code services} are what a gateway can pass on to. What asks for each
     * listener's address is noted in {@code places}.
     */
    InboundReader(
            Overrides overrides,
            Authorization members,
            Limits limits,
            HttpDefaults usual,
            Map<String, OutboundTarget> services,
            Map<String, String> places) {
        this.overrides = overrides;
        this.members = members;
        this.limits = limits;
        this.usual = usual;
        this.services = services;
        this.places = places;
    }

    List<ListenerConfig> read(Fields inbound, Set<String> gatewayDomains) {
        InetSocketAddress written = Addresses.or(inbound.at("address"), DEFAULT);
        InetSocketAddress address = overrides.inbound() == null ? written : overrides.inbound();
        Destinations destinations = inbound.at("destinations").choiceOr(Destinations.KERNEL, DESTINATIONS);
        Application application = application(inbound);
        Authorization who = Declarations.authorization(inbound, members);
        readOpaquePorts(inbound);
        Map<Integer, InboundPort> ports = new HashMap<>();
        inbound.at("ports").objects(fields -> {
            InboundPort port = port(fields, who);
            if (ports.put(number(fields), port) != null) {
                fields.at("port").fail(number(fields) + " is there twice (expected: one entry for each port)");
            }
            return port;
        });
        Routing.ToApplication routing = new Routing.ToApplication(
                ports,
                opaque,
                new InboundPort(
                        new Decision<>(Protocol.OPAQUE, "its port is in a list of opaque ports", opaqueSource), who),
                new InboundPort(Routing.undeclared(), who),
                application,
                services,
                gatewayDomains);
        List<ListenerConfig> listeners = new ArrayList<>();
        places.put(
                "inbound",
                overrides.inbound() == null ? "inbound.address, or --inbound HOST:PORT" : "--inbound HOST:PORT");
        listeners.add(new ListenerConfig("inbound", Direction.INBOUND, address, destinations, routing, limits));
        listeners.addAll(inbound.at("listeners").objects(fields -> explicit(fields, routing)));
        return listeners;
    }

    /** What the environment declared at start holds whatever the file says: a later word must not weaken it. */
    private void readOpaquePorts(Fields inbound) {
        PortSet written = Declarations.ports(inbound.at("opaquePorts"));
        if (written != null) {
            opaque = written;
            opaqueSource = Declarations.source("inbound.opaquePorts", "declared");
        }
        if (overrides.opaquePorts() != null) {
            PortList list = PortList.parse(overrides.opaquePorts());
            list.rejected().forEach(item -> inbound.fail("LINKERD2_PROXY_INBOUND_OPAQUE_PORTS" + item));
            opaque = written == null ? list.ports() : written.or(list.ports());
            opaqueSource = new Source("environment", "LINKERD2_PROXY_INBOUND_OPAQUE_PORTS", "declared");
        }
    }

    private static Application application(Fields inbound) {
        String text = inbound.at("application")
                .text(
                        "an IP address, localhost, or " + DIALLED,
                        value -> value.equals(DIALLED) || Addresses.host(value).isPresent());
        if (text == null) {
            return Application.at(InetAddress.getLoopbackAddress());
        }
        return Addresses.host(text).map(Application::at).orElseGet(Application::asDialled);
    }

    private static int number(Fields fields) {
        return fields.at("port").requireInteger(IntRange.PORT);
    }

    private InboundPort port(Fields fields, Authorization who) {
        Decision<Protocol> declared = Declarations.protocol(fields, number(fields), opaque, opaqueSource);
        Authorization mayConnect = Declarations.authorization(fields, who);
        HttpConfig edge = edge(fields, declared.value(), mayConnect);
        return new InboundPort(declared, mayConnect, edge == null ? told(fields, declared.value()) : edge);
    }

    /** Null if the port does not stand at the edge. */
    private @Nullable HttpConfig edge(Fields fields, Protocol declared, Authorization mayConnect) {
        Integer hops = fields.at("trustedHops").integer(HOPS);
        if (hops == null) {
            return null;
        }
        if (fields.at("callers").isPresent()) {
            fields.at("callers").fail("beside trustedHops (expected: one of them)");
        }
        if (mayConnect.strangers() == Strangers.REFUSED) {
            fields.at("trustedHops").fail(hops + " (expected: only with strangers: allowed)");
        }
        requireRequests(fields.at("trustedHops"), hops + " (expected: none", declared);
        return usual.config("inbound port " + number(fields), Forwarding.EDGE).behind(hops);
    }

    /** Null if nothing is said about requests. */
    private @Nullable HttpConfig told(Fields fields, Protocol declared) {
        if (fields.at("callers").choiceOr(Callers.UNTOLD, CALLERS) == Callers.UNTOLD) {
            return null;
        }
        requireRequests(fields.at("callers"), "told (expected: untold", declared);
        return usual.config("inbound port " + number(fields), Forwarding.FROM_NAMED_MEMBERS);
    }

    private static void requireRequests(Field field, String instead, Protocol declared) {
        if (declared == Protocol.OPAQUE || declared == Protocol.TLS) {
            field.fail(instead + ", as a port that is " + declared + " has no requests)");
        }
    }

    /** A listener that stands for one port, where the kernel redirects nothing. */
    private ListenerConfig explicit(Fields fields, Routing.ToApplication routing) {
        int port = number(fields);
        InetSocketAddress address = Addresses.require(fields.at("address"));
        String name = "inbound " + AddressText.of(address);
        places.put(name, fields.path() + ".address");
        return new ListenerConfig(
                name,
                Direction.INBOUND,
                address,
                Destinations.LISTENER,
                new Routing.ToPort(
                        routing.port(port), routing.application().port(port, InetAddress.getLoopbackAddress())),
                limits);
    }
}
