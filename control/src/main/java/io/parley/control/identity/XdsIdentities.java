package io.parley.control.identity;

import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.control.draft.Flavor;
import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.Pem;
import io.parley.identity.certificate.SpiffeId;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates for proxies that speak nothing but xDS and so cannot ask for one: key and certificate are made here and served as the
 * secrets {@value #IDENTITY} and {@value #TRUST}, to whoever has proved to be that data plane (docs/decisions/0200).
 */
public final class XdsIdentities {
    public static final String IDENTITY = "identity";
    public static final String TRUST = "trust";

    private static final Logger LOG = LoggerFactory.getLogger(XdsIdentities.class);
    private static final Duration PACE = Duration.ofSeconds(1);

    /** How long all have to believe a new authority before anybody shows its certificates, and an old one after that. */
    private static final Duration STEP = Duration.ofSeconds(5);

    private static final int RENEW_AT_PERCENT = 70;
    private static final int TURNS_WITHOUT_WATCHERS = 10;

    private final TrustRollout trust;
    private final Dataplanes dataplanes;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Executor blocking;
    private final Map<Key, Cell> cells = new ConcurrentHashMap<>();

    /** How it is known who a client is. */
    public enum Proof {
        TOKEN,
        /** By its word only: it gets no secret at all. */
        NONE
    }

    private record Key(NodeKey node, Flavor flavor, Proof proof) {}

    /**
     * What a proxy has.
     *
     * @param said the authorities at the last look
     * @param trusted whom it is told to believe
     * @param settled when the authorities of before are forgotten
     */
    private record Held(
            List<SpiffeId> names,
            MeshTrust said,
            List<X509Certificate> trusted,
            Credentials shown,
            Instant renewal,
            Instant settled) {}

    public XdsIdentities(TrustRollout trust, Dataplanes dataplanes, Clock clock, Executor blocking) {
        this.trust = trust;
        this.dataplanes = dataplanes;
        this.clock = clock;
        this.blocking = blocking;
    }

    /** The timer may be blocked by the store. */
    public void start(ScheduledExecutorService timer) {
        var _ = timer.scheduleWithFixedDelay(this::turn, PACE.toMillis(), PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What a proxy has, and its own secrets besides if it has proved who it is. Does not block. */
    public LiveSnapshot of(NodeKey node, Flavor flavor, Proof proof, LiveSnapshot base) {
        Cell found = cells.compute(new Key(node, flavor, proof), (_, known) -> {
            if (known != null) {
                known.wanted();
                return known;
            }
            Cell cell = new Cell(node, proof, base);
            base.watch(cell.watcher);
            cell.publish();
            blocking.execute(cell::turn);
            return cell;
        });
        return found.live;
    }

    private void turn() {
        cells.values().forEach(Cell::turn);
        cells.keySet().forEach(key -> cells.computeIfPresent(key, (_, cell) -> cell.isLeft() ? null : cell));
    }

    private final class Cell {
        private final NodeKey node;
        private final Proof proof;
        private final LiveSnapshot base;
        private final LiveSnapshot live = new LiveSnapshot();
        private final AtomicBoolean declared = new AtomicBoolean(true);
        private final LiveSnapshot.Watcher watcher = _ -> {
            changed();
            publish();
        };

        /** Not the monitor: that one is held while the store is waited for, and who publishes snapshots must not wait. */
        private final ReentrantLock order = new ReentrantLock();

        private @Nullable Held held;
        private volatile List<EncodedResource> secrets = List.of();
        private int turnsAlone;

        Cell(NodeKey node, Proof proof, LiveSnapshot base) {
            this.node = node;
            this.proof = proof;
            this.base = base;
        }

        /** Its resource may have other names now. */
        private void changed() {
            declared.set(true);
        }

        /** What is told is looked up under the lock, so that the newest of both is told last whoever comes first. */
        private void publish() {
            order.lock();
            try {
                base.current().ifPresent(snapshot -> live.publish(withSecrets(snapshot)));
            } finally {
                order.unlock();
            }
        }

        private Snapshot withSecrets(Snapshot snapshot) {
            ResourceSet set = proof == Proof.TOKEN ? snapshot.resources(ResourceType.SECRET) : ResourceSet.EMPTY;
            for (EncodedResource secret : secrets) {
                set = set.with(secret);
            }
            return snapshot.with(ResourceType.SECRET, set);
        }

        /** Somebody is about to watch it. */
        synchronized void wanted() {
            turnsAlone = 0;
        }

        synchronized boolean isLeft() {
            turnsAlone = live.watcherCount() == 0 ? turnsAlone + 1 : 0;
            if (turnsAlone < TURNS_WITHOUT_WATCHERS) {
                return false;
            }
            base.unwatch(watcher);
            return true;
        }

        synchronized void turn() {
            if (proof == Proof.NONE) {
                return;
            }
            try {
                Optional<MeshTrust> said = trust.of(node.mesh());
                Held before = held;
                List<SpiffeId> names =
                        before == null || declared.getAndSet(false) ? dataplanes.identities(node) : before.names();
                if (said.isPresent() && !names.isEmpty()) {
                    held = next(before, said.get(), names, clock.instant());
                }
                Held now = held;
                if (now != null && !now.equals(before)) {
                    secrets = encoded(now);
                    publish();
                }
            } catch (RuntimeException e) {
                // The store is away, or the mesh has no authority that can sign: what there is holds, and there is a
                // next turn.
                LOG.warn("no certificate for {} yet: {}", node, e.getMessage());
            }
        }
    }

    private Held next(@Nullable Held before, MeshTrust said, List<SpiffeId> names, Instant now) {
        if (before == null) {
            return issued(said, names, said.trusted(), now, now);
        }
        if (!before.said().isTheSameTo(said)) {
            List<X509Certificate> both = Stream.concat(before.trusted().stream(), said.trusted().stream())
                    .distinct()
                    .toList();
            Instant soon = now.plus(STEP);
            Instant renewal = before.renewal().isBefore(soon) ? before.renewal() : soon;
            return new Held(before.names(), said, both, before.shown(), renewal, soon.plus(STEP));
        }
        if (!before.names().equals(names) || !now.isBefore(before.renewal())) {
            return issued(said, names, before.trusted(), now, before.settled());
        }
        boolean over = !now.isBefore(before.settled()) && !before.trusted().equals(said.trusted());
        return over
                ? new Held(names, said, said.trusted(), before.shown(), before.renewal(), before.settled())
                : before;
    }

    private Held issued(
            MeshTrust said, List<SpiffeId> names, List<X509Certificate> trusted, Instant now, Instant settled) {
        KeyPair pair = KeyPairs.generate(random);
        X509Certificate leaf = said.signs().issueWorkload(names, pair.getPublic(), said.leafLife());
        Duration until = said.leafLife().multipliedBy(RENEW_AT_PERCENT).dividedBy(100);
        return new Held(
                names, said, trusted, new Credentials(List.of(leaf), pair.getPrivate()), now.plus(until), settled);
    }

    private static List<EncodedResource> encoded(Held held) {
        Secret.Builder identity = Secret.newBuilder().setName(IDENTITY);
        identity.getTlsCertificateBuilder()
                .getCertificateChainBuilder()
                .setInlineString(Pem.encode(held.shown().chain()));
        identity.getTlsCertificateBuilder()
                .getPrivateKeyBuilder()
                .setInlineString(Pem.encode(held.shown().key()));
        Secret.Builder believed = Secret.newBuilder().setName(TRUST);
        believed.getValidationContextBuilder().getTrustedCaBuilder().setInlineString(Pem.encode(held.trusted()));
        return List.of(EncodedResource.of(identity.build()), EncodedResource.of(believed.build()));
    }
}
