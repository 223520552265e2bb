package io.parley.proxy.serve;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.Direction;
import io.parley.proxy.config.GatewayChain;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.Routing;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.telemetry.HttpTelemetry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All ways through the proxy: those that are configured, by name, and those on which every request goes as it came. */
final class Ways {
    /** Ways that nobody configured are remembered up to this number. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Surroundings surroundings;
    private final HttpTelemetry telemetry;
    private final Map<String, Way> configured = new ConcurrentHashMap<>();
    private final Map<String, Way> simple = new ConcurrentHashMap<>();

    Ways(Surroundings surroundings, HttpTelemetry telemetry) {
        this.surroundings = surroundings;
        this.telemetry = telemetry;
    }

    /** Takes over what is configured now; open connections see it with their next request. */
    void update(Collection<ListenerConfig> listeners) {
        Map<String, HttpConfig> now = new HashMap<>();
        listeners.stream().flatMap(Ways::configs).forEach(config -> now.put(config.name(), config));
        configured.keySet().retainAll(now.keySet());
        long at = surroundings.ticker().getAsLong();
        configured.forEach((name, way) -> {
            HttpConfig config = now.get(name);
            if (config != null) {
                way.update(config, at);
            }
        });
    }

    private static Stream<HttpConfig> configs(ListenerConfig listener) {
        Stream<@Nullable HttpConfig> all = switch (listener.routing()) {
            case Routing.Fixed(var target) -> Stream.of(target.http());
            case Routing.ByDestination(var targets, var _) ->
                targets.values().stream().map(OutboundTarget::http);
            case Routing.ToPort(var port, var _) -> Stream.of(port.http());
            case Routing.Gateway(var chains) ->
                chains.stream()
                        .map(chain -> chain.goal() instanceof GatewayChain.Goal.Requests(var http) ? http : null);
            case Routing.Datagrams _ -> Stream.empty();
            case Routing.ToApplication here ->
                Stream.concat(
                        Stream.concat(here.ports().values().stream(), Stream.of(here.opaque(), here.others()))
                                .map(InboundPort::http),
                        here.gateway().values().stream().map(OutboundTarget::http));
        };
        return all.flatMap(Stream::ofNullable);
    }

    Way of(Connection connection) {
        HttpConfig config = connection.config();
        return config == null
                ? simple(connection)
                : configured.computeIfAbsent(config.name(), _ -> create(config, connection));
    }

    private Way simple(Connection connection) {
        String key = connection.direction() + " " + connection.target();
        Way known = simple.get(key);
        if (known != null) {
            return known;
        }
        Forwarding forwarding =
                connection.direction() == Direction.OUTBOUND ? Forwarding.KEPT : Forwarding.FROM_MEMBERS;
        Way fresh = create(HttpConfig.simple(key, "", forwarding), connection);
        if (simple.size() < MAX_REMEMBERED) {
            simple.put(key, fresh);
        }
        return fresh;
    }

    private Way create(HttpConfig config, Connection connection) {
        return new Way(
                config,
                connection.direction(),
                connection.target(),
                telemetry,
                surroundings.ticker().getAsLong());
    }
}
