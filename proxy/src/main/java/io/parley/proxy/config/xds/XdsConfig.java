package io.parley.proxy.config.xds;

import com.google.protobuf.ByteString;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.ProxyConfig;
import io.parley.resource.Result;
import io.parley.resource.Shown;
import io.parley.xds.client.resource.Parsed;
import io.parley.xds.client.resource.ResourceParser;
import io.parley.xds.type.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes resources as they come, and keeps a proxy configured with those that are sound. One that is not is refused with every reason,
 * and its last sound version stays. Nothing is put in force before the first listeners are known. Safe to use from any thread; the
 * proxy is told under its lock, so that it is told in order.
 */
public final class XdsConfig {
    private static final Logger LOG = LoggerFactory.getLogger(XdsConfig.class);

    /** In which types are put in force: what is referred to first. */
    public static final List<ResourceType> ORDER = Book.TYPES;

    private final Local local;
    private final Consumer<ProxyConfig> proxy;
    private final Map<ResourceType, String> versions = new EnumMap<>(ResourceType.class);
    private Book book = Book.EMPTY;
    private ProxyConfig applied = ProxyConfig.EMPTY;
    private SortedMap<String, String> waiting = new TreeMap<>();
    private String lastRefusal = "";
    private final Map<ResourceType, String> refusals = new EnumMap<>(ResourceType.class);
    private boolean held = true;

    /** Tells {@code proxy}, which throws if it cannot do as told, once {@link #release} was called. */
    public XdsConfig(Local local, Consumer<ProxyConfig> proxy) {
        this.local = local;
        this.proxy = proxy;
    }

    /** Lets configurations through, those that were held back first. False if these cannot be put in force now: then to be tried again. */
    public synchronized boolean release() {
        if (!held) {
            return true;
        }
        held = false;
        try {
            apply(book);
            refusals.remove(ResourceType.LISTENER);
            return true;
        } catch (RuntimeException e) {
            held = true;
            String why = String.valueOf(e.getMessage());
            if (!Shown.of(why).equals(refusals.get(ResourceType.LISTENER))) {
                refused(ResourceType.LISTENER, why);
            }
            return false;
        }
    }

    /**
     * Takes what changed in one type.
     *
     * @param version of the type as a whole, for people
     * @return what was refused, by name, and why; empty if all is in force
     */
    public synchronized Map<String, String> change(
            ResourceType type, String version, Map<String, ByteString> changed, Collection<String> removed) {
        Map<String, Object> sound = new HashMap<>();
        SortedMap<String, String> refused = new TreeMap<>();
        changed.forEach((name, bytes) -> {
            switch (Book.read(type, name, bytes)) {
                case Result.Accepted<?>(var value) -> sound.put(name, value);
                case Result.Rejected<?>(var violations) -> refused.put(name, violations.toString());
            }
        });
        if (!put(type, refused.isEmpty() ? version : version + " in part", sound, removed)) {
            sound.keySet().forEach(name -> refused.put(name, lastRefusal));
        }
        if (!refused.isEmpty()) {
            refused(type, type + " " + refused);
        }
        return refused;
    }

    /** Takes resources that {@link #parser} has read. Tells whether they are in force; if not, nothing has changed. */
    public synchronized boolean put(
            ResourceType type, String version, Map<String, ?> changed, Collection<String> removed) {
        Map<String, Object> next = new HashMap<>(book.of(type));
        next.putAll(changed);
        next.keySet().removeAll(removed);
        Book before = book;
        String versionBefore = versions.put(type, version);
        try {
            book = book.with(type, next);
            apply(book);
            refusals.remove(type);
            return true;
        } catch (RuntimeException e) {
            book = before;
            if (versionBefore == null) {
                versions.remove(type);
            } else {
                versions.put(type, versionBefore);
            }
            refused(type, "not put in force: " + e.getMessage());
            return false;
        }
    }

    private void apply(Book next) {
        if (held || !versions.containsKey(ResourceType.LISTENER)) {
            return;
        }
        Assembly.Assembled assembled = Assembly.assemble(next, applied, local, version());
        proxy.accept(assembled.config());
        applied = assembled.config();
        if (!assembled.waiting().equals(waiting)) {
            waiting = assembled.waiting();
            waiting.forEach((listener, why) -> LOG.info("listener {} waits: {}", listener, Shown.of(why)));
        }
    }

    private String version() {
        List<String> parts = new ArrayList<>();
        versions.forEach((type, version) -> parts.add(type + "=" + version));
        return String.join(" ", parts);
    }

    private void refused(ResourceType type, String why) {
        lastRefusal = Shown.of(why);
        refusals.put(type, lastRefusal);
        LOG.warn("configuration refused: {}", lastRefusal);
    }

    /** Reads the resources of one type for a client of xDS. */
    public static ResourceParser<Object> parser(ResourceType type) {
        return new BookParser(type);
    }

    private record BookParser(ResourceType type) implements ResourceParser<Object> {
        @Override
        public Parsed<Object> parse(ByteString body) {
            Optional<String> name = Book.nameOf(type, body);
            if (name.isEmpty()) {
                return new Parsed.Invalid<>("", List.of("not a " + type));
            }
            return switch (Book.read(type, name.get(), body)) {
                case Result.Accepted<?>(var value) -> new Parsed.Valid<>(name.get(), value);
                case Result.Rejected<?>(var violations) ->
                    new Parsed.Invalid<>(
                            name.get(),
                            violations.stream().map(Object::toString).toList());
            };
        }
    }

    /** Names of the resources of a type that those of other types refer to. */
    public synchronized Set<String> referred(ResourceType type) {
        Set<String> names = new HashSet<>();
        if (type == ResourceType.ENDPOINT) {
            book.clusters().values().forEach(cluster -> {
                if (cluster.members() instanceof ReadCluster.Members.Discovered(var service)) {
                    names.add(service);
                }
            });
        } else if (type == ResourceType.ROUTE) {
            book.listeners().values().stream().flatMap(ReadListener::allChains).forEach(chain -> {
                if (chain.goal() instanceof Chain.Goal.ByRoutes(var routes, var _)) {
                    names.add(routes);
                }
            });
            branches().forEach(branch -> {
                if (branch.goal() instanceof ReadGateway.Goal.Requests(Chain.Goal.ByRoutes(var routes, var _))) {
                    names.add(routes);
                }
            });
        } else if (type == ResourceType.SECRET) {
            branches()
                    .flatMap(branch -> Stream.ofNullable(branch.tls()))
                    .flatMap(ReadGateway.Tls::secrets)
                    .forEach(names::add);
            book.clusters().values().stream()
                    .flatMap(cluster -> Stream.ofNullable(cluster.outside()))
                    .flatMap(ReadCluster.Outside::secrets)
                    .forEach(names::add);
        }
        return names;
    }

    private Stream<ReadGateway.Branch> branches() {
        return book.listeners().values().stream()
                .flatMap(listener -> Stream.ofNullable(listener.gateway()))
                .flatMap(gateway -> gateway.chains().stream());
    }

    /** Whether something is to be done that needs a certificate. */
    public synchronized boolean needsIdentity() {
        return book.clusters().values().stream().anyMatch(cluster -> cluster.peer() != null)
                || book.listeners().values().stream()
                        .flatMap(ReadListener::allChains)
                        .anyMatch(chain ->
                                chain.endsTls() || chain.authorization().strangers() == Strangers.REFUSED);
    }

    /** Whether the server has told of this proxy's listeners, which it does once it knows the proxy. */
    public synchronized boolean knowsListeners() {
        return versions.containsKey(ResourceType.LISTENER);
    }

    public synchronized boolean hasListeners() {
        return !book.listeners().isEmpty();
    }

    /** The version of each type that is held. */
    public synchronized Map<ResourceType, String> versions() {
        return Map.copyOf(versions);
    }

    /** Listeners that are not in force as their resources say, and what they wait for. */
    public synchronized SortedMap<String, String> waiting() {
        return new TreeMap<>(waiting);
    }

    /** Why something was refused last; empty if nothing was. */
    public synchronized String lastRefusal() {
        return lastRefusal;
    }

    /** Why the last word about a type is not in force, or only in part; empty if all is. */
    public synchronized String refused() {
        return String.join("; ", refusals.values());
    }
}
