package io.parley.resource.core;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.read.SpecReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an EndpointSlice says. */
public record EndpointSliceSpec(List<Endpoint> endpoints, List<Port> ports) {
    /** The addresses of one endpoint, which all lead to the same. */
    public record Endpoint(List<String> addresses, boolean ready) {
        public Endpoint {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * A port, by the name that the Service gives it.
     *
     * @param name empty for the only one
     */
    public record Port(
            String name,
            int number,
            ServiceSpec.Transport transport,
            @Nullable String appProtocol) {}

    public static final SpecReader<EndpointSliceSpec> READER = SpecReader.of(EndpointSliceSpec::read);

    public EndpointSliceSpec {
        endpoints = List.copyOf(endpoints);
        ports = List.copyOf(ports);
    }

    private static EndpointSliceSpec read(Fields fields) {
        List<Endpoint> endpoints = fields.at("endpoints").objects(EndpointSliceSpec::endpoint);
        List<Port> ports = fields.at("ports").objects(EndpointSliceSpec::port);
        var _ = fields.rest();
        return new EndpointSliceSpec(endpoints, ports);
    }

    private static Endpoint endpoint(Fields fields) {
        List<String> addresses = fields.at("addresses").list(Field::requireText);
        Boolean ready = fields.at("conditions").object(conditions -> {
            Boolean found = conditions.at("ready").flag();
            var _ = conditions.rest();
            return found == null || found;
        });
        var _ = fields.rest();
        return new Endpoint(addresses, ready == null || ready);
    }

    private static Port port(Fields fields) {
        String name = fields.at("name").text();
        Port port = new Port(
                name == null ? "" : name,
                fields.at("port").requireInteger(IntRange.PORT),
                fields.at("protocol").choiceOr(ServiceSpec.Transport.TCP, ServiceSpec.TRANSPORTS),
                ServiceSpec.appProtocol(fields.at("appProtocol")));
        var _ = fields.rest();
        return port;
    }
}
