package io.parley.xds.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import io.parley.xds.server.NodeIdentity.UserAgent;
import io.parley.xds.server.session.ClientTraits;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out from a node what kind of client it is, and what that means for the protocol. */
final class KnownClients {
    /** {@code Node.build_version}, which v3 reserves: v2 clients send it and v3 classes keep it as an unknown field. */
    private static final int BUILD_VERSION = 5;

    private static final String TTL = "xds.config.supports-resource-ttl";
    private static final String WRAPPED = "xds.config.resource-in-sotw";

    /** {@code 1.18.4} of an Envoy: alone, or between slashes in a v2 build version. */
    private static final Pattern ENVOY_VERSION = Pattern.compile("(?:^|/)1\\.(\\d{1,4})\\.");

    private static final int FIRST_ENVOY_WITH_HONEST_WILDCARD = 19;

    /** Each kind once, of the few that there are: streams by the thousand point to it. */
    private static final Map<ClientTraits, ClientTraits> KINDS = new ConcurrentHashMap<>();

    private KnownClients() {}

    static ClientTraits traits(NodeIdentity node) {
        boolean grpc = node.userAgent().name().startsWith("gRPC");
        ClientTraits traits = new ClientTraits(
                grpc ? ClientTraits.EmptyList.NEVER_WILDCARD : ClientTraits.EmptyList.MAY_BE_WILDCARD,
                echoesNames(node.userAgent()) ? ClientTraits.Names.ECHO : ClientTraits.Names.NARROW,
                node.features().contains(TTL) ? ClientTraits.Expiry.UNDERSTOOD : ClientTraits.Expiry.UNKNOWN,
                node.features().contains(WRAPPED) ? ClientTraits.Wrapping.UNDERSTOOD : ClientTraits.Wrapping.UNKNOWN,
                grpc ? ClientTraits.Warming.NOT_NEEDED : ClientTraits.Warming.NEEDED);
        return KINDS.computeIfAbsent(traits, kind -> kind);
    }

    private static boolean echoesNames(UserAgent agent) {
        if (!agent.name().equals("envoy")) {
            return false;
        }
        Matcher version = ENVOY_VERSION.matcher(agent.version());
        return version.find() && Integer.parseInt(version.group(1)) < FIRST_ENVOY_WITH_HONEST_WILDCARD;
    }

    static UserAgent userAgent(Node node) {
        String version = node.getUserAgentVersion();
        if (node.hasUserAgentBuildVersion()) {
            SemanticVersion built = node.getUserAgentBuildVersion().getVersion();
            version = built.getMajorNumber() + "." + built.getMinorNumber() + "." + built.getPatch();
        }
        String build = buildVersion(node);
        String name = node.getUserAgentName();
        if (name.isEmpty() && build.startsWith("gRPC")) {
            name = build; // grpc-java on v2: "gRPC Java 1.33.1"
        }
        return new UserAgent(name, version.isEmpty() ? build : version);
    }

    private static String buildVersion(Node node) {
        UnknownFieldSet unknown = node.getUnknownFields();
        List<ByteString> values = unknown.hasField(BUILD_VERSION)
                ? unknown.getField(BUILD_VERSION).getLengthDelimitedList()
                : List.of();
        return values.isEmpty() ? "" : values.getLast().toStringUtf8();
    }
}
