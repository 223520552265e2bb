package io.parley.resource.core;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a Service says. Fields beyond these are Kubernetes' own affair. */
public record ServiceSpec(boolean external, List<Port> ports) {
    /** What a port runs on. */
    public enum Transport {
        TCP,
        UDP,
        SCTP
    }

    /**
     * One entry.
     *
     * @param name empty for the only one
     */
    public record Port(
            String name,
            int number,
            Transport transport,
            @Nullable String appProtocol) {}

    public static final SpecReader<ServiceSpec> READER = SpecReader.of(ServiceSpec::read);
    static final Choices<Transport> TRANSPORTS = Choices.asNamed(Transport.class);
    /** As Kubernetes' own server has it: a qualified name. */
    private static final Pattern APP_PROTOCOL =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    public ServiceSpec {
        ports = List.copyOf(ports);
    }

    private static ServiceSpec read(Fields fields) {
        Set<String> seen = new HashSet<>();
        boolean external = "ExternalName".equals(fields.at("type").text());
        List<Port> ports = fields.at("ports").objects(each -> {
            Port port = port(each);
            if (!seen.add(port.number() + "/" + port.transport())) {
                each.fail(
                        port.number() + "/" + port.transport() + " again (expected: each number once for a protocol)");
            }
            return port;
        });
        var _ = fields.rest();
        return new ServiceSpec(external, ports);
    }

    private static Port port(Fields fields) {
        String name = fields.at("name").text();
        Port port = new Port(
                name == null ? "" : name,
                fields.at("port").requireInteger(IntRange.PORT),
                fields.at("protocol").choiceOr(Transport.TCP, TRANSPORTS),
                appProtocol(fields.at("appProtocol")));
        var _ = fields.rest();
        return port;
    }

    static @Nullable String appProtocol(Field field) {
        return field.text(
                "a name such as kubernetes.io/h2c",
                text -> APP_PROTOCOL.matcher(text).matches());
    }
}
