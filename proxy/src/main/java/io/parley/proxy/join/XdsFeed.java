package io.parley.proxy.join;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.resource.Shown;
import io.parley.xds.client.Watch;
import io.parley.xds.client.WatchEvent;
import io.parley.xds.client.Watcher;
import io.parley.xds.client.XdsClient;
import io.parley.xds.client.loop.Loop;
import io.parley.xds.client.resource.ProtoParser;
import io.parley.xds.client.resource.ResourceParser;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks an xDS server for all listeners and clusters, and for the routes and endpoints that those refer to. What comes together is put in
 * force together. Everything happens on the client's loop.
 */
final class XdsFeed {
    private static final Logger LOG = LoggerFactory.getLogger(XdsFeed.class);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(5);
    private static final List<ResourceType> LISTED = List.of(ResourceType.CLUSTER, ResourceType.LISTENER);
    private static final List<ResourceType> NAMED =
            List.of(ResourceType.SECRET, ResourceType.ENDPOINT, ResourceType.ROUTE);

    private final XdsClient client;
    private final Loop loop;
    private final XdsConfig config;
    private final Runnable changed;
    private final Map<ResourceType, ResourceParser<Object>> parsers = new EnumMap<>(ResourceType.class);
    private final Map<ResourceType, Pending> pending = new EnumMap<>(ResourceType.class);
    private final Map<ResourceType, Map<String, Watch>> named = new EnumMap<>(ResourceType.class);
    private boolean flushing;

    /** What came and is not in force yet. */
    private static final class Pending {
        final Map<String, Object> changed = new HashMap<>();
        final Set<String> removed = new HashSet<>();
        String version = "";
    }

    /** Calls {@code changed} on the loop after each change. */
    XdsFeed(XdsClient client, Loop loop, XdsConfig config, Runnable changed) {
        this.client = client;
        this.loop = loop;
        this.config = config;
        this.changed = changed;
    }

    void start() {
        for (ResourceType type : LISTED) {
            Watch _ = client.watchAll(parser(type), new Listed(type));
        }
    }

    private ResourceParser<Object> parser(ResourceType type) {
        return parsers.computeIfAbsent(type, _ -> type == ResourceType.SECRET ? secrets() : XdsConfig.parser(type));
    }

    /** The proxy's own certificate may come as a secret too, and a client reads all resources of a type in one way. */
    @SuppressWarnings("unchecked") // whoever watches secrets here takes any object
    private static ResourceParser<Object> secrets() {
        return (ResourceParser<Object>) (ResourceParser<?>) ProtoParser.SECRETS;
    }

    private final class Listed implements Watcher<Object> {
        private final ResourceType type;

        Listed(ResourceType type) {
            this.type = type;
        }

        @Override
        public void on(WatchEvent<Object> event) {
            note(type, event);
        }

        @Override
        public void settled() {
            Pending _ = pending(type);
            flushSoon();
        }
    }

    private Pending pending(ResourceType type) {
        return pending.computeIfAbsent(type, _ -> new Pending());
    }

    private void note(ResourceType type, WatchEvent<Object> event) {
        switch (event) {
            case WatchEvent.Changed<Object>(var name, var value, var version) -> {
                Pending noted = pending(type);
                noted.changed.put(name, value);
                noted.removed.remove(name);
                noted.version = version;
            }
            case WatchEvent.Absent<Object>(var name, var because) -> {
                LOG.info("{} {} is gone: {}", type, Shown.of(name), Shown.of(because.toString()));
                Pending noted = pending(type);
                noted.changed.remove(name);
                noted.removed.add(name);
            }
            case WatchEvent.AmbientError<Object>(var name, var trouble) ->
                LOG.warn("{} {}: {}; going on as before", type, Shown.of(name), Shown.of(trouble.toString()));
        }
    }

    /** After all that has come already. */
    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            loop.execute(this::flush);
        }
    }

    private void flush() {
        flushing = false;
        for (ResourceType type : XdsConfig.ORDER) {
            Pending came = pending.get(type);
            if (came != null) {
                if (put(type, came)) {
                    pending.remove(type);
                } else {
                    var _ = loop.after(TRY_AGAIN, this::flushSoon);
                }
            }
        }
        NAMED.forEach(this::watchReferred);
        changed.run();
    }

    private boolean put(ResourceType type, Pending came) {
        if (type != ResourceType.SECRET) {
            return config.put(type, came.version, came.changed, came.removed);
        }
        Map<String, ByteString> bytes = new HashMap<>();
        came.changed.forEach((name, secret) -> bytes.put(name, ((Secret) secret).toByteString()));
        var _ = config.change(type, came.version, bytes, came.removed);
        return true;
    }

    private void watchReferred(ResourceType type) {
        Set<String> wanted = config.referred(type);
        Map<String, Watch> watched = named.computeIfAbsent(type, _ -> new HashMap<>());
        watched.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                entry.getValue().close();
                pending(type).changed.remove(entry.getKey());
                pending(type).removed.add(entry.getKey());
                flushSoon();
            }
            return gone;
        });
        for (String name : wanted) {
            watched.computeIfAbsent(
                    name,
                    _ -> client.watch(parser(type), name, event -> {
                        if (watched.containsKey(name)) {
                            note(type, event);
                            flushSoon();
                        }
                    }));
        }
    }
}
