package io.parley.resource.backend;

import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The protocols that the ports of a Service take: the resource of GEP-1911's first draft. Several entries for a port are tried in
 * their order.
 *
 * @param service in the namespace of this resource
 */
public record BackendProtocolSpec(String service, List<PortProtocol> ports) {
    public static final SpecReader<BackendProtocolSpec> READER = SpecReader.of(BackendProtocolSpec::read);

    public BackendProtocolSpec {
        ports = List.copyOf(ports);
    }

    private static BackendProtocolSpec read(Fields spec) {
        String service = spec.at("targetRef").requireObject(ref -> {
            var _ = ref.at("group").text("the core group, written as empty text", String::isEmpty);
            var _ = ref.at("kind").requireText("Service", "Service"::equals);
            return ref.at("name").requireText();
        });
        Set<PortProtocol> seen = new HashSet<>();
        List<PortProtocol> ports = spec.at("ports").requireObjects(entry -> {
            int faults = entry.faults().found().size();
            PortProtocol port = PortProtocol.read(entry);
            // What could not be read stands for nothing that could be there twice.
            if (faults == entry.faults().found().size() && !seen.add(port)) {
                entry.fail(port + " again (expected: each protocol of a port once)");
            }
            return port;
        });
        return new BackendProtocolSpec(service, ports);
    }
}
