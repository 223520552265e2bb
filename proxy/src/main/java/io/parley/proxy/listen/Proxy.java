package io.parley.proxy.listen;

import io.netty.channel.ChannelFuture;
import io.parley.proxy.Surroundings;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.exchange.Account;
import io.parley.proxy.log.Entry;
import io.parley.proxy.serve.HttpServing;
import io.parley.proxy.tcp.ConnectionLimit;
import io.parley.proxy.tcp.FileDescriptors;
import io.parley.proxy.tcp.LearnedSilence;
import io.parley.proxy.tcp.Listener;
import io.parley.proxy.tcp.Listening;
import io.parley.proxy.tcp.Machinery;
import io.parley.proxy.tcp.OwnAddresses;
import io.parley.proxy.tcp.PooledDialling;
import io.parley.proxy.tcp.Session;
import io.parley.proxy.tcp.SessionEntry;
import io.parley.proxy.tcp.Sessions;
import io.parley.proxy.tcp.Transport;
import io.parley.proxy.telemetry.Telemetry;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.MeshTls;
import io.parley.proxy.tls.PublicTls;
import io.parley.proxy.udp.UdpListener;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running proxy. It does nothing until it is told what to do by {@link #apply}, and may be told something else at any time. */
public final class Proxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);
    private static final int MAX_CONNECTIONS = 50_000;
    private static final Duration FAREWELL = Duration.ofSeconds(2);
    private static final Duration LONGEST_IDLE_CHECK = Duration.ofSeconds(1);
    private static final long BIND_AGAIN_MILLIS = 1_000;

    private final Transport transport;
    private final HttpServing http;
    private final Machinery machinery;
    private final ConnectionLimit connections = new ConnectionLimit();
    private final int maxConnections = FileDescriptors.connections(MAX_CONNECTIONS);
    private final Map<String, Listening> listeners = new LinkedHashMap<>();
    private volatile List<Unbound> unbound = List.of();
    private volatile List<Unbound> refused = List.of();
    private @Nullable ScheduledFuture<?> bindingAgain;
    private volatile ProxyConfig config = ProxyConfig.EMPTY;
    private volatile boolean leaving;
    private volatile boolean draining;

    /** Tells {@code onClose} of each connection when it is over, on its event loop. */
    public Proxy(
            Transport transport, CertificateSource certificates, Surroundings surroundings, Consumer<Session> onClose) {
        this(transport, certificates, surroundings, onClose, (_, _, _) -> Account.NONE);
    }

    /** The same, and {@code accounts} are kept of requests. */
    public Proxy(
            Transport transport,
            CertificateSource certificates,
            Surroundings surroundings,
            Consumer<Session> onClose,
            Account.Keeper accounts) {
        this.transport = transport;
        Telemetry telemetry = new Telemetry(surroundings.ticker());
        MeshTls tls = new MeshTls(certificates, surroundings.clock());
        PublicTls outside = new PublicTls();
        Clusters clusters = new Clusters(surroundings);
        OwnAddresses own = new OwnAddresses();
        this.http = new HttpServing(
                surroundings,
                clusters,
                telemetry,
                new PooledDialling(transport, tls, outside, own, () -> config.timeouts()),
                transport.loops().next(),
                accounts);
        this.machinery = new Machinery(
                surroundings,
                transport,
                tls,
                outside,
                clusters,
                telemetry,
                new LearnedSilence(),
                own,
                new Sessions(surroundings.ticker(), session -> closed(session, onClose)),
                http);
        telemetry.gauge("proxy_connections", connections::open);
        telemetry.gauge("proxy_connections_limit", () -> maxConnections);
        telemetry.gauge("proxy_listeners_unbound", () -> unbound.size());
        Balancers.count(clusters, telemetry);
        telemetry.gauge(
                "identity_cert_expiration_timestamp_seconds",
                () -> machinery.tls().expires().map(Instant::getEpochSecond).orElse(0L));
        scheduleIdleCheck();
    }

    private void closed(Session session, Consumer<Session> onClose) {
        var accepted = session.accepted();
        var ending = session.ending();
        long took = machinery.surroundings().ticker().getAsLong() - accepted.at();
        machinery
                .telemetry()
                .closed(accepted.direction(), ending == null ? "closed" : ending.cause())
                .increment();
        machinery.telemetry().lifeTime(accepted.direction()).observe(took);
        var agreed = session.agreed();
        if (!session.logs().isEmpty() && (agreed == null || !http.serves(agreed.protocol()))) {
            Entry entry =
                    SessionEntry.of(session, machinery.surroundings().clock().instant(), Duration.ofNanos(took));
            session.logs().forEach(log -> http.outlets().log(log, entry));
        }
        onClose.accept(session);
    }

    public Machinery machinery() {
        return machinery;
    }

    /** What it does with HTTP. */
    public HttpServing http() {
        return http;
    }

    public ProxyConfig config() {
        return config;
    }

    /** Whether it drains, or is about to. */
    public boolean isLeaving() {
        return leaving || draining;
    }

    /** Whether connections are accepted, and will be for a while. */
    public synchronized boolean isReady() {
        return !isLeaving() && !listeners.isEmpty();
    }

    /** The address that a listener is bound to. */
    public synchronized InetSocketAddress address(String listener) {
        Listening found = listeners.get(listener);
        if (found == null) {
            throw new IllegalArgumentException(
                    "listener: " + listener + " (expected: one of " + listeners.keySet() + ")");
        }
        return found.address();
    }

    /** Listeners that are wanted and cannot be there; they are tried again until they can. */
    public List<Unbound> unbound() {
        return unbound;
    }

    /** Listeners that are missing: those, and those for want of which the last configuration was not taken. */
    public List<Unbound> missing() {
        return refused.isEmpty() ? unbound : refused;
    }

    /**
     * Does as told from now on, or throws and changes nothing. New addresses are bound before anything else changes, and opened after
     * everything else has; listeners that are no longer wanted accept nothing more, and connections that are open stay open.
     */
    public synchronized void apply(ProxyConfig next) {
        Bound fresh = bindNew(next);
        if (!fresh.failed.isEmpty()) {
            fresh.opened.forEach(Listening::close);
            refused = fresh.failed;
            throw new CannotListenException(fresh.failed);
        }
        take(next, fresh);
    }

    /**
     * Does as told as far as that can be: a listener whose address or port is not to be had is left out and tried again, and the others
     * do as they are told. For gateways, whose listeners have nothing to do with each other.
     */
    public synchronized void applyWhatCanBe(ProxyConfig next) {
        Bound fresh = bindNew(next);
        fresh.failed.stream()
                .filter(one -> !unbound.contains(one))
                .forEach(one -> LOG.warn("{}; it is tried again every second", one.text()));
        take(next, fresh);
        bindLater(next, fresh.failed);
    }

    private void bindLater(ProxyConfig wanted, List<Unbound> failed) {
        unbound = failed;
        if (!failed.isEmpty()) {
            bindingAgain = transport
                    .loops()
                    .schedule(
                            () -> Thread.ofVirtual().start(() -> bindAgain(wanted)),
                            BIND_AGAIN_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    /** All else is in force already, and waits for its listeners. */
    private synchronized void bindAgain(ProxyConfig wanted) {
        if (draining || !config.equals(wanted)) {
            return;
        }
        Bound fresh = bindNew(wanted);
        for (Listening listener : fresh.opened) {
            LOG.info("{} listens on {} at last", listener.config().name(), listener.address());
            open(listener);
        }
        bindLater(wanted, fresh.failed);
    }

    private void open(Listening listener) {
        listeners.put(listener.config().name(), listener);
        listener.open();
    }

    private void take(ProxyConfig next, Bound bound) {
        if (bindingAgain != null) {
            bindingAgain.cancel(false);
            bindingAgain = null;
        }
        machinery
                .sessions()
                .rules(next.listeners().stream()
                        .collect(Collectors.toMap(ListenerConfig::name, ListenerConfig::routing)));
        List<Listening> fresh = bound.opened;
        List<String> failed = bound.failed.stream().map(Unbound::listener).toList();
        machinery.clusters().update(next.clusters().values());
        machinery.telemetry().http().complaints().retain(next.clusters().keySet());
        http.update(next.listeners(), next.http());
        for (ListenerConfig wanted : next.listeners()) {
            Listening known = listeners.get(wanted.name());
            if (known != null && !failed.contains(wanted.name())) {
                known.update(wanted, next.timeouts());
            }
        }
        List<String> names = next.listeners().stream()
                .map(ListenerConfig::name)
                .filter(name -> !failed.contains(name))
                .toList();
        closeUnwanted(names, fresh);
        fresh.forEach(this::open);
        machinery.sessions().closeRevoked(machinery.telemetry());
        unbound = bound.failed;
        refused = List.of();
        if (config.equals(next)) {
            return;
        }
        config = next;
        LOG.info(
                "configuration {} applied: {} listeners, {} clusters",
                next.version(),
                listeners.size(),
                next.clusters().size());
    }

    private void closeUnwanted(List<String> names, List<Listening> fresh) {
        listeners.entrySet().removeIf(entry -> {
            boolean gone = !names.contains(entry.getKey())
                    || fresh.stream().anyMatch(f -> f.config().name().equals(entry.getKey()));
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
    }

    /** What came of new listeners. */
    private record Bound(List<Listening> opened, List<Unbound> failed) {}

    /** Binds the listeners whose name is new or whose address has changed. */
    private Bound bindNew(ProxyConfig next) {
        if (draining) {
            throw new IllegalStateException("draining: no new configuration is taken");
        }
        machinery.tls().prepare();
        List<Listening> bound = new ArrayList<>();
        List<Unbound> failed = new ArrayList<>();
        for (ListenerConfig wanted : next.listeners()) {
            Listening known = listeners.get(wanted.name());
            if (known == null || !known.config().address().equals(wanted.address())) {
                Listening listener = listening(wanted, next.timeouts());
                ChannelFuture binding = listener.bind().awaitUninterruptibly();
                if (binding.isSuccess()) {
                    bound.add(listener);
                } else {
                    failed.add(Unbound.of(wanted.name(), wanted.address(), binding.cause()));
                }
            }
        }
        return new Bound(bound, List.copyOf(failed));
    }

    private Listening listening(ListenerConfig wanted, Timeouts timeouts) {
        return wanted.routing() instanceof Routing.Datagrams
                ? new UdpListener(wanted, machinery)
                : new Listener(wanted, timeouts, machinery, connections, maxConnections);
    }

    /** By a timer outside of the event loop, which does without one as long as it can. */
    private void scheduleIdleCheck() {
        CompletableFuture.delayedExecutor(idleCheck().toMillis(), TimeUnit.MILLISECONDS, transport.loops())
                .execute(this::checkIdle);
    }

    private void checkIdle() {
        try {
            machinery.sessions().tendLasting();
            machinery.sessions().closeIdle(config.timeouts().idle().toNanos());
        } finally {
            scheduleIdleCheck();
        }
    }

    private Duration idleCheck() {
        Duration quarter = config.timeouts().idle().dividedBy(4);
        return quarter.compareTo(LONGEST_IDLE_CHECK) < 0 ? quarter : LONGEST_IDLE_CHECK;
    }

    /** Is not ready from now on and serves as before, so that who sends connections here can stop to before it drains. */
    public void leave() {
        leaving = true;
    }

    /** Accepts nothing more, and lets open connections finish for as long as the configuration says. */
    public void drain() throws InterruptedException {
        for (ChannelFuture closing : stopListening()) {
            closing.await();
        }
        Sessions sessions = machinery.sessions();
        Duration time = config.timeouts().drain();
        LOG.info("draining, {} connections open, for at most {} s", sessions.count(), time.toSeconds());
        http.drain();
        if (sessions.awaitNone(time)) {
            LOG.info("drained");
        } else {
            LOG.info("{} connections cut after {} s", sessions.count(), time.toSeconds());
            sessions.closeAll();
        }
        http.outlets().finish(FAREWELL);
    }

    private synchronized List<ChannelFuture> stopListening() {
        draining = true;
        List<ChannelFuture> closing =
                listeners.values().stream().map(Listening::close).toList();
        listeners.clear();
        return closing;
    }

    /** Stops at once. Connections that are open are cut. */
    @Override
    public void close() {
        var _ = stopListening();
        machinery.sessions().closeAll();
        transport.close();
        http.outlets().close();
        machinery.tls().close();
    }
}
