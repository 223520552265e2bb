package io.parley.control.identity;

import io.parley.identity.certificate.SpiffeId;
import io.parley.link.identity.IdentityServer;
import io.parley.link.server.NodeLink;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one mesh from the authorities that it had to those that it says. A step is made when every member that is connected has
 * made the one before, or has failed to say so in time: one that hangs does not keep the others from theirs.
 */
final class MeshRollout {
    private static final Logger LOG = LoggerFactory.getLogger(MeshRollout.class);

    private final Supplier<Optional<MeshTrust>> said;
    private final Function<NodeLink, List<SpiffeId>> names;
    private final Consumer<MeshTrust> kept;
    private final Executor blocking;
    private final Executor afterPause;
    private final Set<NodeLink> members = new HashSet<>();
    private volatile MeshTrust current;
    private int unanswered;
    private boolean pausing;

    /**
     * Without a step under way.
     *
     * @param said what the mesh says
     * @param names of a member
     * @param kept is told of each step before members are; all three may block
     */
    MeshRollout(
            MeshTrust current,
            Supplier<Optional<MeshTrust>> said,
            Function<NodeLink, List<SpiffeId>> names,
            Consumer<MeshTrust> kept,
            Duration pause,
            Executor blocking) {
        this.current = current;
        this.said = said;
        this.names = names;
        this.kept = kept;
        this.blocking = blocking;
        this.afterPause = CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, blocking);
    }

    MeshTrust current() {
        return current;
    }

    /** Tells a node now, and until its link ends whenever there is something new. May block. */
    void join(NodeLink node) {
        synchronized (this) {
            members.add(node);
            unanswered++;
        }
        var _ = node.link().closed().thenAccept(_ -> leave(node));
        tell(node);
    }

    private synchronized void leave(NodeLink node) {
        members.remove(node);
    }

    /** Tells members of this name again, since what they are may have changed. May block. */
    void renamed(String name) {
        List<NodeLink> nodes;
        synchronized (this) {
            nodes = members.stream()
                    .filter(node -> node.principal().name().equals(name))
                    .toList();
            unanswered += nodes.size();
        }
        nodes.forEach(this::tell);
    }

    /** Makes the next step, if there is one and all have made the last. May block. */
    void advance() {
        try {
            said.get().ifPresent(wanted -> {
                MeshTrust before = current;
                List<NodeLink> told = step(wanted);
                if (!current.isTheSameTo(before)) {
                    kept.accept(current);
                }
                told.forEach(this::tell);
            });
        } catch (AuthorityException e) {
            LOG.warn("{}; members keep the authorities that they have", e.getMessage());
        }
    }

    /** The members that have to be told of it. */
    private synchronized List<NodeLink> step(MeshTrust wanted) {
        if (unanswered > 0 || pausing) {
            return List.of();
        }
        MeshTrust before = current;
        current = before.towards(wanted);
        if (current.isTheSameTo(before)) {
            return List.of();
        }
        LOG.info(
                "{} signs, {} authorities are trusted; {} proxies are told",
                current.signs().certificate().getSubjectX500Principal(),
                current.trusted().size(),
                members.size());
        unanswered = members.size();
        if (unanswered == 0) {
            resumeLater();
        }
        return List.copyOf(members);
    }

    private void tell(NodeLink node) {
        try {
            List<SpiffeId> own = names.apply(node);
            // Who is no member any more has no certificate to ask for.
            CompletableFuture<Void> told = own.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : IdentityServer.tell(node, current.told(own));
            var _ = told.whenCompleteAsync((_, failure) -> answered(node, failure), blocking);
        } catch (RuntimeException e) {
            answered(node, e);
        }
    }

    private synchronized void answered(NodeLink node, @Nullable Throwable failure) {
        if (failure != null && !node.link().closed().isDone()) {
            LOG.warn("{}: {}; not waited for", node.principal().name(), failure.getMessage());
        }
        unanswered--;
        if (unanswered == 0) {
            resumeLater();
        }
    }

    /** Makes no step before that. */
    synchronized void resumeAfter(Duration wait) {
        pausing = true;
        CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS, blocking)
                .execute(this::resume);
    }

    private synchronized void resumeLater() {
        pausing = true;
        afterPause.execute(this::resume);
    }

    private void resume() {
        synchronized (this) {
            pausing = false;
        }
        advance();
    }
}
