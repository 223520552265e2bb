package io.parley.resource.gateway;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a Gateway listens, and for what.
 *
 * @param hostname null for all
 * @param protocol as written: one that this gateway does not know is a condition
 * @param tls null if it says nothing about TLS
 */
public record ListenerSpec(
        String name,
        @Nullable String hostname,
        int port,
        String protocol,
        @Nullable Tls tls,
        AllowedRoutes allowed) {
    /** Whether the gateway ends TLS or passes it on. */
    public enum Mode {
        TERMINATE,
        PASSTHROUGH
    }

    /** What it does about TLS. */
    public record Tls(Mode mode, List<ObjectRef> certificates) {
        public Tls {
            certificates = List.copyOf(certificates);
        }
    }

    private static final Set<String> IN_CLEAR = Set.of("HTTP", "TCP", "UDP");
    private static final Set<String> WITHOUT_NAMES = Set.of("TCP", "UDP");
    private static final Choices<Mode> MODES = Choices.camelCase(Mode.class);

    static ListenerSpec read(Fields fields) {
        String name = Texts.section(fields.at("name"));
        if (name == null) {
            var _ = fields.at("name").requireText();
        }
        Tls tls = fields.at("tls").object(ListenerSpec::tls);
        AllowedRoutes allowed = fields.at("allowedRoutes").object(AllowedRoutes::read);
        String protocol = fields.at("protocol").requireText();
        String hostname = hostname(fields);
        if (tls != null && IN_CLEAR.contains(protocol)) {
            fields.fail("tls", "not allowed here (the protocol is " + protocol + ")");
        }
        if (hostname != null && WITHOUT_NAMES.contains(protocol)) {
            fields.fail("hostname", "not allowed here (the protocol is " + protocol + ")");
        }
        return new ListenerSpec(
                Texts.orElse(name, ""),
                hostname,
                fields.at("port").requireInteger(IntRange.PORT),
                protocol,
                tls,
                allowed == null ? AllowedRoutes.USUAL : allowed);
    }

    /** Empty means all, as absent does. */
    private static @Nullable String hostname(Fields fields) {
        String text = fields.at("hostname")
                .text(
                        "a host name, with *. before it at most, and not an IP address",
                        value -> value.isEmpty() || Texts.isHostname(value));
        return text == null || text.isEmpty() ? null : text;
    }

    private static Tls tls(Fields fields) {
        fields.ignore("options", "frontendValidation");
        return new Tls(
                fields.at("mode").choiceOr(Mode.TERMINATE, MODES),
                Texts.atMost(
                        64,
                        fields.at("certificateRefs"),
                        fields.at("certificateRefs").objects(ObjectRef::readSecret)));
    }
}
