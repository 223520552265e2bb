package io.parley.proxy.serve;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.Direction;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.telemetry.HttpTelemetry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** All ways through the proxy: those that are configured, by name, and those on which every request goes as it came. */
final class Ways {
    /** Ways that nobody configured are remembered up to this number. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Surroundings surroundings;
    private final HttpTelemetry telemetry;
    private final Map<String, Way> configured = new ConcurrentHashMap<>();
    private final Map<String, Way> simple = new ConcurrentHashMap<>();
    private Map<String, HttpConfig> current = Map.of();

    Ways(Surroundings surroundings, HttpTelemetry telemetry) {
        this.surroundings = surroundings;
        this.telemetry = telemetry;
    }

    /** Takes over what is configured now; open connections see it with their next request. Those on a way that is gone come to their end. */
    synchronized void update(Collection<ListenerConfig> listeners) {
        Map<String, HttpConfig> now = new HashMap<>();
        listeners.stream()
                .flatMap(listener -> listener.routing().requests())
                .forEach(config -> now.put(config.name(), config));
        current = now;
        long at = surroundings.ticker().getAsLong();
        configured.entrySet().removeIf(known -> {
            HttpConfig config = now.get(known.getKey());
            if (config == null) {
                known.getValue().end();
            } else {
                known.getValue().update(config, at);
            }
            return config == null;
        });
    }

    Way of(Connection connection) {
        if (connection.isDenied()) {
            return denied(connection);
        }
        HttpConfig config = connection.config();
        if (config == null) {
            return simple(connection);
        }
        Way known = configured.get(config.name());
        return known == null ? first(config, connection) : known;
    }

    /** What the connection was accepted with may have been replaced before its first request: what holds now counts. */
    private synchronized Way first(HttpConfig accepted, Connection connection) {
        HttpConfig config = current.getOrDefault(accepted.name(), accepted);
        return configured.computeIfAbsent(config.name(), _ -> create(config, connection));
    }

    private Way simple(Connection connection) {
        Forwarding forwarding =
                connection.direction() == Direction.OUTBOUND ? Forwarding.KEPT : Forwarding.FROM_MEMBERS;
        String key = connection.direction() + " " + connection.target();
        return remembered(key, () -> create(HttpConfig.simple(key, "", forwarding), connection));
    }

    /** A way that is over before it begins: the first answer is the last, and what holds by then is for the client's next connection. */
    private Way denied(Connection connection) {
        String key = "denied " + connection.direction() + " " + connection.target();
        return remembered(key, () -> {
            Way way = create(HttpConfig.denying(key), connection);
            way.end();
            return way;
        });
    }

    private Way remembered(String key, Supplier<Way> fresh) {
        Way known = simple.get(key);
        if (known != null) {
            return known;
        }
        Way way = fresh.get();
        if (simple.size() < MAX_REMEMBERED) {
            simple.put(key, way);
        }
        return way;
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
