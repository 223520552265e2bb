package io.parley.link.server;

import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.OfferedService;
import io.parley.agreement.version.OfferedVersion;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.agreement.version.ServiceOutcome;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that a control plane serves, by name and version; the order in which it was given is the order of preference. */
final class ServiceDirectory {
    private final Map<String, ServiceBinding> byNameAndVersion = new HashMap<>();
    private final ServiceCatalog catalog;

    ServiceDirectory(List<ServiceBinding> bindings) {
        Map<String, List<OfferedVersion>> versions = new LinkedHashMap<>();
        Map<Integer, String> names = new HashMap<>();
        for (ServiceBinding binding : bindings) {
            String other = names.putIfAbsent(binding.serviceId(), binding.name());
            if (binding.serviceId() == Services.NEGOTIATION || (other != null && !other.equals(binding.name()))) {
                throw new IllegalArgumentException("service number " + binding.serviceId() + " of " + binding.name()
                        + " (expected: one that no other service has)");
            }
            byNameAndVersion.put(key(binding.name(), binding.version().version()), binding);
            versions.computeIfAbsent(binding.name(), _ -> new ArrayList<>()).add(binding.version());
        }
        this.catalog = new ServiceCatalog(versions.entrySet().stream()
                .map(entry -> new OfferedService(entry.getKey(), entry.getValue()))
                .toList());
    }

    ServiceCatalog catalog() {
        return catalog;
    }

    Map<Integer, ServiceHandler> open(NodeLink link, NegotiationAnswer.Answered answer) {
        Map<Integer, ServiceHandler> open = new HashMap<>();
        for (ServiceOutcome.Accepted accepted : answer.accepted()) {
            ServiceBinding binding = byNameAndVersion.get(
                    key(accepted.service(), accepted.version().value()));
            if (binding == null) {
                throw new IllegalStateException("accepted and not served: " + accepted);
            }
            open.put(binding.serviceId(), binding.opener().open(link));
        }
        return open;
    }

    private static String key(String name, String version) {
        return name + '\n' + version;
    }
}
