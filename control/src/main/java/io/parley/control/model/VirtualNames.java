package io.parley.control.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The names that VirtualOutbounds give to the services of a mesh, each with the addresses that it stands for. Nobody has these addresses;
 * they lead a workload's connection to its proxy.
 *
 * @param problems names that cannot be given, and why
 */
public record VirtualNames(List<Name> all, List<String> problems) {
    public static final VirtualNames NONE = new VirtualNames(List.of(), List.of());

    /**
     * One of them.
     *
     * @param address where intercepted workloads find it: of a range that is never routed
     * @param loopback where other workloads find it, if their Dataplane asks for that
     */
    public record Name(VirtualOutbound.HostName called, String address, String loopback) {
        /** The tags beside the service's own. */
        public Map<String, String> subset() {
            Map<String, String> tags = new TreeMap<>(called.tags());
            tags.remove(Names.SERVICE);
            return tags;
        }
    }

    public VirtualNames {
        all = List.copyOf(all);
        problems = List.copyOf(problems);
    }

    static VirtualNames of(MeshModel mesh, Function<Service, List<VirtualOutbound.HostName>> called) {
        if (mesh.virtualOutbounds().isEmpty()) {
            return NONE;
        }
        Map<String, VirtualOutbound.HostName> given = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (Service service : mesh.services().values()) {
            for (VirtualOutbound.HostName name : called.apply(service)) {
                VirtualOutbound.HostName other = given.putIfAbsent(name.toString(), name);
                if (other != null && !other.tags().equals(name.tags())) {
                    problems.add("VirtualOutbound " + name.from() + ": " + name + " for " + name.tags()
                            + " is taken, it is " + other.tags() + " by VirtualOutbound " + other.from());
                }
            }
        }
        List<String> hosts = given.values().stream()
                .map(VirtualOutbound.HostName::host)
                .distinct()
                .toList();
        Map<String, String> addresses = VirtualAddresses.INTERCEPTED.of(hosts);
        Map<String, String> loopbacks = VirtualAddresses.LOOPBACK.of(hosts);
        List<Name> names = new ArrayList<>();
        given.values()
                .forEach(name -> names.add(new Name(
                        name, addresses.getOrDefault(name.host(), ""), loopbacks.getOrDefault(name.host(), ""))));
        return new VirtualNames(names, problems);
    }

    /** By its host name or one of its addresses; without a port the first. */
    public Optional<Name> find(String host, Optional<Integer> port) {
        return all.stream()
                .filter(name -> name.called().host().equals(host)
                        || name.address().equals(host)
                        || name.loopback().equals(host))
                .filter(name -> port.isEmpty() || port.get() == name.called().port())
                .findFirst();
    }
}
