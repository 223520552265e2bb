package io.parley.resource.gateway;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a Gateway says.
 *
 * @param parameters null if it has none
 * @param backendCertificate what it shows to backends that ask; null for nothing
 * @param frontend how certificates of clients are checked on HTTPS listeners; null for not at all
 */
public record GatewaySpec(
        String className,
        List<ListenerSpec> listeners,
        List<Address> addresses,
        @Nullable ObjectRef parameters,
        @Nullable ObjectRef backendCertificate,
        @Nullable FrontendTls frontend) {
    /** Where it is wanted; an empty value is any of that type. */
    public record Address(String type, String value) {}

    /** How certificates of clients are checked: usually, and on some ports. */
    public record FrontendTls(@Nullable ClientValidation usual, List<PortValidation> ports) {
        public FrontendTls {
            ports = List.copyOf(ports);
        }
    }

    /** On one port. */
    public record PortValidation(int port, @Nullable ClientValidation validation) {}

    /** By which authorities; whether those who show nothing valid are let in. */
    public record ClientValidation(List<ObjectRef> authorities, boolean insecureFallback) {
        public ClientValidation {
            authorities = List.copyOf(authorities);
        }
    }

    public static final SpecReader<GatewaySpec> READER = SpecReader.of(GatewaySpec::read);
    private static final int MOST_LISTENERS = 64;
    private static final int MOST_ADDRESSES = 16;

    public GatewaySpec {
        listeners = List.copyOf(listeners);
        addresses = List.copyOf(addresses);
    }

    /** All that it refers to: certificates, authorities, parameters. */
    public Stream<ObjectRef> references() {
        Stream<ObjectRef> certificates = listeners.stream()
                .map(ListenerSpec::tls)
                .filter(Objects::nonNull)
                .flatMap(tls -> tls.certificates().stream());
        Stream<ObjectRef> single = Stream.of(Optional.ofNullable(parameters), Optional.ofNullable(backendCertificate))
                .flatMap(Optional::stream);
        return Stream.concat(Stream.concat(certificates, single), authorities());
    }

    private Stream<ObjectRef> authorities() {
        return validations().flatMap(validation -> validation.authorities().stream());
    }

    /** Whether clients are let in somewhere although they should show a valid certificate and do not. */
    public boolean isInsecureFallbackAllowed() {
        return validations().anyMatch(ClientValidation::insecureFallback);
    }

    private Stream<ClientValidation> validations() {
        if (frontend == null) {
            return Stream.empty();
        }
        return Stream.concat(
                        Stream.of(Optional.ofNullable(frontend.usual())),
                        frontend.ports().stream().map(port -> Optional.ofNullable(port.validation())))
                .flatMap(Optional::stream);
    }

    /** How the certificates of clients of a port are checked; nothing if they are not. What is said of the port goes before the usual. */
    public Optional<ClientValidation> validationOn(int port) {
        if (frontend == null) {
            return Optional.empty();
        }
        Optional<PortValidation> own =
                frontend.ports().stream().filter(each -> each.port() == port).findFirst();
        return Optional.ofNullable(own.isPresent() ? own.get().validation() : frontend.usual());
    }

    private static GatewaySpec read(Fields fields) {
        fields.ignore("allowedListeners", "defaultScope");
        Field listeners = fields.at("listeners");
        Set<String> names = new HashSet<>();
        List<ListenerSpec> read =
                Texts.atMost(MOST_LISTENERS, listeners, listeners.requireObjects(each -> listener(each, names)));
        Field addresses = fields.at("addresses");
        Infrastructure infrastructure = fields.at("infrastructure").object(Infrastructure::read);
        Tls tls = fields.at("tls").object(Tls::read);
        return new GatewaySpec(
                fields.at("gatewayClassName").requireText(),
                read,
                Texts.atMost(MOST_ADDRESSES, addresses, addresses.objects(GatewaySpec::address)),
                infrastructure == null ? null : infrastructure.parameters,
                tls == null ? null : tls.backend,
                tls == null ? null : tls.frontend);
    }

    private static ListenerSpec listener(Fields fields, Set<String> names) {
        ListenerSpec listener = ListenerSpec.read(fields);
        if (!listener.name().isEmpty() && !names.add(listener.name())) {
            fields.fail("name", listener.name() + " again (expected: another name for each listener)");
        }
        return listener;
    }

    private static Address address(Fields fields) {
        return new Address(
                Texts.orElse(fields.at("type").text(), "IPAddress"),
                Texts.orElse(fields.at("value").text("at most 253 characters", text -> text.length() <= 253), ""));
    }

    private record Infrastructure(@Nullable ObjectRef parameters) {
        static Infrastructure read(Fields fields) {
            fields.ignore("labels", "annotations");
            return new Infrastructure(fields.at("parametersRef").object(ObjectRef::readLocal));
        }
    }

    private record BackendTls(@Nullable ObjectRef certificate) {
        static BackendTls read(Fields fields) {
            return new BackendTls(fields.at("clientCertificateRef").object(ObjectRef::readSecret));
        }
    }

    private record Checked(@Nullable ClientValidation validation) {
        static Checked read(Fields fields) {
            return new Checked(fields.at("validation").object(Checked::validation));
        }

        private static ClientValidation validation(Fields fields) {
            String mode = fields.at("mode")
                    .text(
                            "AllowValidOnly or AllowInsecureFallback",
                            Set.of("AllowValidOnly", "AllowInsecureFallback")::contains);
            return new ClientValidation(
                    fields.at("caCertificateRefs").requireObjects(ObjectRef::read),
                    "AllowInsecureFallback".equals(mode));
        }
    }

    private record Tls(
            @Nullable ObjectRef backend, @Nullable FrontendTls frontend) {
        static Tls read(Fields fields) {
            BackendTls backend = fields.at("backend").object(BackendTls::read);
            return new Tls(
                    backend == null ? null : backend.certificate,
                    fields.at("frontend").object(Tls::frontend));
        }

        private static FrontendTls frontend(Fields fields) {
            return new FrontendTls(
                    fields.at("default").requireObject(Checked::read).validation,
                    fields.at("perPort")
                            .objects(each -> new PortValidation(
                                    each.at("port").requireInteger(IntRange.PORT),
                                    each.at("tls").requireObject(Checked::read).validation)));
        }
    }
}
