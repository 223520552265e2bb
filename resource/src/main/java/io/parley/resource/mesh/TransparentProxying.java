package io.parley.resource.mesh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where intercepted connections arrive, and which services can be reached that way.
 *
 * @param directAccessServices reached by the addresses of their proxies, {@code *} for all
 * @param reachableServices null for all
 * @param reachableBackends as above, by reference; kept as it is
 */
public record TransparentProxying(
        @Nullable Integer redirectPortInbound,
        @Nullable Integer redirectPortOutbound,
        List<String> directAccessServices,
        @Nullable List<String> reachableServices,
        @Nullable ObjectNode reachableBackends,
        @Nullable IpFamilyMode ipFamilyMode) {
    /** Which connections are intercepted. */
    public enum IpFamilyMode {
        UNSPECIFIED("UnSpecified"),
        DUAL_STACK("DualStack"),
        IPV4("IPv4"),
        IPV6("IPv6");

        private final String word;

        IpFamilyMode(String word) {
            this.word = word;
        }
    }

    private static final IntRange PORT = new IntRange(0, 65535);
    private static final Choices<IpFamilyMode> MODES = Choices.by(List.of(IpFamilyMode.values()), mode -> mode.word);

    static TransparentProxying read(Fields fields) {
        // An older field for the same port; both families share one now.
        fields.ignore("redirectPortInboundV6");
        Field reachable = fields.at("reachableServices");
        List<String> services = reachable.list(Field::requireText);
        return new TransparentProxying(
                fields.at("redirectPortInbound").integer(PORT),
                fields.at("redirectPortOutbound").integer(PORT),
                fields.at("directAccessServices").list(Field::requireText),
                reachable.isPresent() ? services : null,
                fields.at("reachableBackends").tree(),
                fields.at("ipFamilyMode").choice(MODES));
    }
}
