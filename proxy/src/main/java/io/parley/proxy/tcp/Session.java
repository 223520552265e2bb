package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.config.Raw;
import io.parley.proxy.log.LogConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one connection, gathered stage by stage. Written on the connection's event loop, read from anywhere: the admin
 * page and the idle check may see it a moment late.
 */
public final class Session {
    /** How far a connection has come. */
    public enum Phase {
        DETECTING,
        DIALLING,
        FORWARDING,
        CLOSED
    }

    private final long id;
    private final Accepted accepted;
    private final Channel downstream;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private volatile Phase phase = Phase.DETECTING;
    private volatile @Nullable Agreed agreed;
    private volatile @Nullable Choice choice;
    private volatile @Nullable Ending ending;
    private volatile @Nullable Ending firstEnd;
    private volatile @Nullable Admitted admitted;
    private volatile List<SpiffeId> names = List.of();
    private volatile boolean requests;
    private boolean refused;
    private volatile Raw raw = Raw.NONE;
    private final AtomicReference<@Nullable Runnable> ifItLasts = new AtomicReference<>();

    /**
     * By which rule a connection to the application was let in.
     *
     * @param port the one that it is meant for, as configuration knows it
     * @param client null if it showed no certificate
     * @param target the same for people and metrics
     */
    record Admitted(int port, @Nullable SpiffeId client, String target) {}

    Session(long id, Accepted accepted, Channel downstream) {
        this.id = id;
        this.accepted = accepted;
        this.downstream = downstream;
    }

    public long id() {
        return id;
    }

    public Accepted accepted() {
        return accepted;
    }

    public Phase phase() {
        return phase;
    }

    public @Nullable Agreed agreed() {
        return agreed;
    }

    public @Nullable Choice choice() {
        return choice;
    }

    public @Nullable Ending ending() {
        return ending;
    }

    /** Bytes of the application that came from the client. */
    public long received() {
        return received.get();
    }

    /** Bytes of the application that went to the client. */
    public long sent() {
        return sent.get();
    }

    Channel downstream() {
        return downstream;
    }

    /** Whether a client that sends no more may still be told something. */
    boolean mayBeTold() {
        return downstream.isActive();
    }

    void agreed(Agreed now) {
        agreed = now;
    }

    void chose(Choice now) {
        choice = now;
        phase = Phase.DIALLING;
    }

    void forwarding() {
        phase = Phase.FORWARDING;
    }

    /** Only the event loop adds, so no other write can come between. */
    void addReceived(long bytes) {
        received.lazySet(received.getPlain() + bytes);
    }

    void addSent(long bytes) {
        sent.lazySet(sent.getPlain() + bytes);
    }

    List<SpiffeId> names() {
        return names;
    }

    @Nullable
    Admitted admitted() {
        return admitted;
    }

    /** How long it may carry nothing; {@code absent} if nobody said. */
    long idleNanos(long absent) {
        Duration said = raw.idle();
        return said == null ? absent : said.toNanos();
    }

    /** It is sent away; whatever its client does by then is no news. */
    void refused(Ending cause) {
        refused = true;
        ends(cause);
    }

    boolean isRefused() {
        return refused;
    }

    /** It carries requests from now on, and who serves those knows when it is idle. */
    void carriesRequests() {
        requests = true;
    }

    boolean isForRequests() {
        return requests;
    }

    /** Who hears of it when it is over, unless it carried requests: then they hear of those. */
    public List<LogConfig> logs() {
        return raw.logs();
    }

    /** Notes what holds for it, unless it turns out to carry requests. */
    void follow(Raw said) {
        raw = said;
    }

    /** Notes all names that the client showed. */
    void identified(List<SpiffeId> shown) {
        names = List.copyOf(shown);
    }

    void admitted(@Nullable Admitted now) {
        admitted = now;
    }

    /** What is to be done once, on its event loop, if it is still open when somebody looks. */
    void ifItLasts(Runnable task) {
        ifItLasts.set(task);
    }

    /** It has lasted a while. Called by one thread. */
    void lasts() {
        Runnable task = ifItLasts.getPlain() == null ? null : ifItLasts.getAndSet(null);
        if (task != null) {
            downstream.eventLoop().execute(task);
        }
    }

    /** Notes why the connection ends. The first cause counts: what follows are its consequences. */
    void ends(Ending cause) {
        if (ending == null) {
            ending = cause;
        }
    }

    /** Whoever ended first ended the connection; the other one only went along. */
    Ending endedBy(Ending side) {
        Ending first = firstEnd;
        if (first == null) {
            first = side;
            firstEnd = side;
        }
        return first;
    }

    void closed() {
        phase = Phase.CLOSED;
    }
}
