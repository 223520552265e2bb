package io.parley.proxy.balance;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.Endpoint;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The clusters of a proxy by name, and those made up on the way for addresses that are dialled as they are. */
public final class Clusters {
    /** Made-up clusters are remembered up to this number, so that a port's experience lasts longer than a connection. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Surroundings surroundings;
    private final Map<String, Cluster> named = new ConcurrentHashMap<>();
    private final Map<InetSocketAddress, Cluster> direct = new ConcurrentHashMap<>();

    private final Cluster none;
    private volatile Map<String, Cluster> leaving = Map.of();

    public Clusters(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.none = create(new ClusterConfig("none", List.of(), ClusterConfig.Breaker.DEFAULT));
    }

    /** A cluster without endpoints, for what must say where it goes before that is known. */
    public Cluster none() {
        return none;
    }

    /**
     * Makes the clusters what the configuration says. Connections to those that are gone live on, and they can be found until the next
     * update: a request may have been routed to one a moment ago.
     */
    public void update(Collection<ClusterConfig> configs) {
        Set<String> names = configs.stream().map(ClusterConfig::name).collect(Collectors.toSet());
        Map<String, Cluster> gone = new HashMap<>(named);
        gone.keySet().removeAll(names);
        gone.values().forEach(Cluster::retire);
        leaving = Map.copyOf(gone);
        named.keySet().retainAll(names);
        for (ClusterConfig config : configs) {
            Cluster known = named.get(config.name());
            if (known == null) {
                named.put(config.name(), create(config));
            } else {
                known.update(config);
            }
        }
    }

    public Optional<Cluster> find(String name) {
        Cluster known = named.get(name);
        return Optional.ofNullable(known == null ? leaving.get(name) : known);
    }

    public Collection<Cluster> all() {
        return List.copyOf(named.values());
    }

    /** A cluster of this one address. */
    public Cluster direct(InetSocketAddress address) {
        Cluster known = direct.get(address);
        if (known != null) {
            return known;
        }
        String name = address.getAddress().getHostAddress() + ":" + address.getPort();
        Cluster fresh =
                create(new ClusterConfig(name, List.of(Endpoint.plain(address)), ClusterConfig.Breaker.DEFAULT));
        if (direct.size() < MAX_REMEMBERED) {
            direct.put(address, fresh);
        }
        return fresh;
    }

    private Cluster create(ClusterConfig config) {
        return new Cluster(config, surroundings.ticker(), surroundings.chance());
    }
}
