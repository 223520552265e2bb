package io.parley.proxy.serve;

import io.parley.proxy.Surroundings;
import io.parley.proxy.Direction;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.HttpDefaults;
import io.parley.proxy.telemetry.HttpTelemetry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All ways through the proxy: those that are configured, by name, those on which every request goes as it came, and those on which none goes anywhere. */
final class Ways {
    /** Ways that nobody configured are remembered up to this number. */
    private static final int MAX_REMEMBERED = 1_024;

    private final Surroundings surroundings;
    private final HttpTelemetry telemetry;
    private final Map<String, Way> configured = new ConcurrentHashMap<>();
    private final Map<String, Way> simple = new ConcurrentHashMap<>();
    private final Map<String, Way> denied = new ConcurrentHashMap<>();
    private Map<String, HttpConfig> current = Map.of();
    private HttpDefaults usual = HttpDefaults.USUAL;

    Ways(Surroundings surroundings, HttpTelemetry telemetry) {
        this.surroundings = surroundings;
        this.telemetry = telemetry;
    }

    /** Takes over what is configured now; open connections see it with their next request. Those on a way that is gone come to their end. */
    synchronized void update(Collection<ListenerConfig> listeners, HttpDefaults others) {
        Map<String, HttpConfig> now = new HashMap<>();
        listeners.stream()
                .flatMap(listener -> listener.routing().requests())
                .forEach(config -> now.put(config.name(), config));
        boolean more = !current.keySet().containsAll(now.keySet());
        current = now;
        long at = surroundings.ticker().getAsLong();
        usual = others;
        if (more) {
            // What is said about requests for the first time may be about those.
            simple.values().forEach(Way::end);
            simple.clear();
        }
        simple.values()
                .forEach(known -> known.update(
                        usual.config(known.config().name(), known.config().forwarding()), at));
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
        Way known = simple.get(key(connection));
        return known == null ? firstSimple(connection) : known;
    }

    private synchronized Way firstSimple(Connection connection) {
        String key = key(connection);
        Way known = simple.get(key);
        if (known != null) {
            return known;
        }
        Forwarding forwarding =
                connection.direction() == Direction.OUTBOUND ? Forwarding.KEPT : Forwarding.FROM_MEMBERS;
        Way fresh = create(usual.config(key, forwarding), connection);
        remember(simple, key, fresh);
        return fresh;
    }

    /** A way that is over before it begins: the first answer is the last, and what holds by then is for the client's next connection. */
    private Way denied(Connection connection) {
        String key = key(connection);
        Way known = denied.get(key);
        if (known != null) {
            return known;
        }
        Way fresh = create(HttpConfig.denying("denied " + key), connection);
        fresh.end();
        remember(denied, key, fresh);
        return fresh;
    }

    private static String key(Connection connection) {
        return connection.direction() + " " + connection.target();
    }

    private static void remember(Map<String, Way> ways, String key, Way fresh) {
        if (ways.size() < MAX_REMEMBERED) {
            ways.put(key, fresh);
        }
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
