package io.parley.agreement.version;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** Everything that the control plane serves. Names are opaque: they match exactly or not at all. */
public final class ServiceCatalog {
    private final SequencedMap<String, OfferedService> services;

    public ServiceCatalog(List<OfferedService> services) {
        var byName = new LinkedHashMap<String, OfferedService>();
        for (OfferedService service : services) {
            if (byName.putIfAbsent(service.name(), service) != null) {
                throw new IllegalArgumentException("service offered twice: " + service.name());
            }
        }
        this.services = Collections.unmodifiableSequencedMap(byName);
    }

    public static ServiceCatalog of(OfferedService... services) {
        return new ServiceCatalog(List.of(services));
    }

    public Optional<OfferedService> find(String name) {
        return Optional.ofNullable(services.get(name));
    }

    public List<OfferedService> services() {
        return List.copyOf(services.values());
    }
}
