package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.Routing;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.telemetry.Telemetry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The connections that are open, for the admin page, the idle check and the drain. */
public final class Sessions {
    private record Seen(long bytes, long at) {}

    private final AtomicLong ids = new AtomicLong();
    private final Map<Session, Seen> open = new ConcurrentHashMap<>();
    private final LongSupplier ticker;
    private final Consumer<Session> onClose;

    /** By the names of their listeners; null until somebody has said. */
    private volatile @Nullable Map<String, Routing> rules;

    /** Tells {@code onClose}, which must not block, of each connection when it is over. */
    public Sessions(LongSupplier ticker, Consumer<Session> onClose) {
        this.ticker = ticker;
        this.onClose = onClose;
    }

    public int count() {
        return open.size();
    }

    /** How many there have been. */
    public long opened() {
        return ids.get();
    }

    public Collection<Session> list() {
        return List.copyOf(open.keySet());
    }

    Session open(Accepted accepted, Channel downstream) {
        Session session = new Session(ids.incrementAndGet(), accepted, downstream);
        open.put(session, new Seen(0, accepted.at()));
        return session;
    }

    void close(Session session) {
        if (open.remove(session) != null) {
            // If nobody has said why, it is the client's end that comes first here; the server's follows from it.
            session.ends(session.endedBy(Ending.CLIENT_CLOSED));
            session.closed();
            onClose.accept(session);
            if (open.isEmpty()) {
                signalEmpty();
            }
        }
    }

    private synchronized void signalEmpty() {
        notifyAll();
    }

    /** Waits until no connection is open, and tells whether that came about in time. */
    public synchronized boolean awaitNone(Duration time) throws InterruptedException {
        long end = ticker.getAsLong() + time.toNanos();
        while (!open.isEmpty()) {
            long left = end - ticker.getAsLong();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Does what pays only for connections that last, for those that are still open: the kernel is to ask their servers when they are silent, and to make less of those on this machine. */
    public void tendLasting() {
        open.keySet().forEach(Session::lasts);
    }

    /** Closes what has carried no bytes for so long, or for as long as it was told itself; requests have times of their own. One look at everything now and then is cheaper than a timer for each. */
    public void closeIdle(long idleNanos) {
        long now = ticker.getAsLong();
        open.forEach((session, seen) -> {
            long bytes = session.received() + session.sent();
            if (bytes != seen.bytes) {
                open.replace(session, new Seen(bytes, now));
            } else if (!session.isForRequests() && now - seen.at >= session.idleNanos(idleNanos)) {
                end(session, Ending.IDLE);
            }
        });
    }

    /** Says what holds for each listener from now on. To be said before any connection is accepted by it. */
    public void rules(Map<String, Routing> byListener) {
        rules = Map.copyOf(byListener);
    }

    /** Closes connections to the application whose clients may no longer use the port. */
    public void closeRevoked(Telemetry telemetry) {
        for (Session session : open.keySet()) {
            Session.Admitted admitted = session.admitted();
            Routing today = today(session);
            if (admitted != null
                    && today != null
                    && (isRevoked(session.names(), admitted, today) || isPassedUnjudged(session, admitted, today))) {
                SpiffeId client = admitted.client();
                telemetry
                        .authorization(
                                Telemetry.Verdict.TERMINATE, admitted.target(), client == null ? "" : client.toString())
                        .increment();
                end(session, Ending.REVOKED);
            }
        }
    }

    /**
     * Lets a connection to the application in, unless the rules have changed since it came, or its listener is gone: it has been on its way,
     * maybe for as long as a handshake and a header may take. Whoever changes the rules looks at who is in afterwards, and this looks at
     * the rules after it has said who is in: one of the two sees the other.
     *
     * @return whether it is in
     */
    boolean admit(Session session, Session.Admitted admitted) {
        session.admitted(admitted);
        Routing today = today(session);
        boolean in = today == null ? rules == null : !isRevoked(session.names(), admitted, today);
        if (!in) {
            // It may stay open until it has been told, and has no permission that could be taken back.
            session.admitted(null);
        }
        return in;
    }

    private @Nullable Routing today(Session session) {
        Map<String, Routing> known = rules;
        return known == null ? null : known.get(session.accepted().listener());
    }

    /** By the rules of today a client may come by another of its names than when it was let in. */
    private static boolean isRevoked(List<SpiffeId> names, Session.Admitted admitted, Routing today) {
        return today.inbound(admitted.port())
                .map(InboundPort::authorization)
                .filter(port -> !port.allows(names.isEmpty() ? admitted.client() : port.comesBy(names)))
                .isPresent();
    }

    /** Whether it was found to be no HTTP, where by now nothing but requests may pass. */
    private static boolean isPassedUnjudged(Session session, Session.Admitted admitted, Routing today) {
        Agreed agreed = session.agreed();
        return agreed != null
                && !session.isForRequests()
                && Rules.isFound(agreed.because())
                && today.inbound(admitted.port())
                        .map(InboundPort::http)
                        .filter(HttpConfig::admitsRequestsOnly)
                        .isPresent();
    }

    /** Closes everything that is still open. */
    public void closeAll() {
        open.keySet().forEach(session -> end(session, Ending.DRAINED));
    }

    private static void end(Session session, Ending ending) {
        session.downstream().eventLoop().execute(() -> {
            session.ends(ending);
            session.downstream().close();
        });
    }
}
