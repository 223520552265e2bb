package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken to backends.
 *
 * @param systemAuthorities whether those of the machine are trusted, in place of named ones
 * @param hostname what is asked for, and what the certificate must name unless other names are given
 */
public record BackendTlsPolicySpec(
        List<Target> targets,
        List<ObjectRef> authorities,
        boolean systemAuthorities,
        String hostname,
        List<AltName> names) {
    /**
     * What it is for.
     *
     * @param sectionName the one port that is meant, by its name; null for all
     */
    public record Target(ObjectRef ref, @Nullable String sectionName) {}

    /** A name that the certificate may have. */
    public record AltName(boolean uri, String value) {}

    public static final SpecReader<BackendTlsPolicySpec> READER = SpecReader.of(BackendTlsPolicySpec::read);
    private static final int MOST = 16;

    public BackendTlsPolicySpec {
        targets = List.copyOf(targets);
        authorities = List.copyOf(authorities);
        names = List.copyOf(names);
    }

    private record Validation(List<ObjectRef> authorities, boolean system, String hostname, List<AltName> names) {}

    private static BackendTlsPolicySpec read(Fields fields) {
        fields.ignore("options");
        List<Target> targets = Texts.atMost(
                MOST,
                fields.at("targetRefs"),
                fields.at("targetRefs")
                        .requireObjects(
                                each -> new Target(ObjectRef.readLocal(each), Texts.section(each.at("sectionName")))));
        Validation validation = fields.at("validation").requireObject(BackendTlsPolicySpec::validation);
        return new BackendTlsPolicySpec(
                targets, validation.authorities, validation.system, validation.hostname, validation.names);
    }

    private static Validation validation(Fields fields) {
        var _ = fields.needOneOf("caCertificateRefs", "wellKnownCACertificates");
        List<ObjectRef> authorities = Texts.atMost(
                8,
                fields.at("caCertificateRefs"),
                fields.at("caCertificateRefs").objects(ObjectRef::readLocal));
        String wellKnown = fields.at("wellKnownCACertificates").text("System", "System"::equals);
        String hostname = Texts.preciseHostname(fields.at("hostname"));
        if (!fields.has("hostname")) {
            fields.fail("hostname", "missing (expected: the name that the backend's certificate is for)");
        }
        return new Validation(
                authorities,
                wellKnown != null,
                Texts.orElse(hostname, ""),
                Texts.atMost(
                        5,
                        fields.at("subjectAltNames"),
                        fields.at("subjectAltNames").objects(BackendTlsPolicySpec::altName)));
    }

    private static AltName altName(Fields fields) {
        String type = fields.at("type").requireText("Hostname or URI", Set.of("Hostname", "URI")::contains);
        boolean uri = type.equals("URI");
        fields.refuse(uri ? "hostname" : "uri", "the type is " + type);
        return uri
                ? new AltName(true, fields.at("uri").requireText())
                : new AltName(
                        false,
                        fields.at("hostname").requireText("a host name, with *. before it at most", Texts::isHostname));
    }
}
