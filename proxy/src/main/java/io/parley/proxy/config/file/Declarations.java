package io.parley.proxy.config.file;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortSet;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Routing;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the file declares about a port: what it carries and who may use it. */
final class Declarations {
    /** Linkerd's list of ports that are opaque unless somebody says otherwise. */
    static final PortSet DEFAULT_OPAQUE =
            PortList.parse("25,587,3306,4444,5432,6379,9300,11211").ports();

    static final Choices<Protocol> PROTOCOLS = Choices.by(List.of(Protocol.values()), Protocol::toString);
    private static final Choices<Strangers> STRANGERS = Words.of(Strangers.class);
    private static final SpiffeId NOBODY = new SpiffeId("stand-in", "/nobody");
    private static final String SPIFFE = "a SPIFFE id such as spiffe://mesh/service";

    private Declarations() {}

    /** The protocol field, else the list of opaque ports, else detection. */
    static Decision<Protocol> protocol(Fields fields, int port, PortSet opaque, Source opaqueSource) {
        Protocol declared = fields.at("protocol").choice(PROTOCOLS);
        if (declared != null && declared != Protocol.DETECT) {
            return new Decision<>(
                    declared, "it is declared " + declared, source(fields.path() + ".protocol", "declared"));
        }
        if (declared == Protocol.DETECT || !opaque.contains(port)) {
            return Routing.undeclared();
        }
        return new Decision<>(Protocol.OPAQUE, "port " + port + " is in a list of opaque ports", opaqueSource);
    }

    static Source source(String path, String rule) {
        return new Source("static file", path, rule);
    }

    static Source defaultList() {
        return Source.ofRule("default-opaque-ports");
    }

    /** A list of ports, every bad item of which is reported; null if there is none. */
    static @Nullable PortSet ports(Field field) {
        String text = field.text();
        if (text == null) {
            return null;
        }
        PortList list = PortList.parse(text);
        list.rejected().forEach(item -> field.fail(item.toString()));
        return list.ports();
    }

    /** Who may use a port; what is not said is taken from {@code absent}. */
    static Authorization authorization(Fields fields, Authorization absent) {
        Strangers strangers = fields.at("strangers").choiceOr(absent.strangers(), STRANGERS);
        List<SpiffeId> identities = fields.at("identities").list(Declarations::spiffe);
        List<String> domains = fields.at("trustDomains").list(Field::requireText);
        boolean named = fields.hasAny("identities", "trustDomains");
        return new Authorization(
                strangers,
                named ? new HashSet<>(identities) : absent.allowed().identities(),
                named ? new HashSet<>(domains) : absent.allowed().trustDomains());
    }

    static SpiffeId spiffe(Field field) {
        String text = field.requireText(SPIFFE, Declarations::isSpiffe);
        return isSpiffe(text) ? SpiffeId.parse(text) : NOBODY;
    }

    private static boolean isSpiffe(String text) {
        try {
            SpiffeId _ = SpiffeId.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static Set<String> domains(Field field) {
        return new HashSet<>(field.list(
                item -> item.requireText("a domain such as svc.cluster.local", io.parley.wire.name.DnsName::isValid)));
    }
}
