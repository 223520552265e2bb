package io.parley.control.identity;

import io.parley.control.model.Subject;
import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.control.feed.ModelFeed;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.server.NodeLink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What holds in each mesh now, which after a change of its authorities is for a while not yet what the mesh says: the change is
 * brought to the proxies that are connected in steps, so that no handshake between two of them fails on the way.
 */
public final class TrustRollout {
    private static final Logger LOG = LoggerFactory.getLogger(TrustRollout.class);

    /** Within which members come back to a control plane that was away in the middle of a change. */
    private static final Duration RETURN = Duration.ofSeconds(30);

    private final MeshAuthorities authorities;
    private final Dataplanes dataplanes;
    private final Duration pause;
    private final Executor blocking;
    private final RolloutMemory memory;
    private final Map<String, MeshRollout> meshes = new ConcurrentHashMap<>();

    /** Who came before the mesh had an authority: a zone has none before global has told it. */
    private final Set<NodeLink> early = ConcurrentHashMap.newKeySet();

    /**
     * Without a rollout under way.
     *
     * @param pause before each next step, for other control planes that serve proxies of the same meshes
     */
    public TrustRollout(MeshAuthorities authorities, Dataplanes dataplanes, Duration pause, Executor blocking) {
        this.authorities = authorities;
        this.dataplanes = dataplanes;
        this.pause = pause;
        this.blocking = blocking;
        this.memory = authorities.memory();
    }

    /**
     * What holds in this mesh now, nothing if there is no such mesh. May block.
     *
     * @throws AuthorityException if there is no authority that can sign
     */
    public Optional<MeshTrust> of(String mesh) {
        MeshRollout known = meshes.get(mesh);
        if (known != null) {
            return Optional.of(known.current());
        }
        return authorities.of(mesh).map(said -> begun(mesh, said).current());
    }

    private MeshRollout begun(String mesh, MeshTrust said) {
        return meshes.computeIfAbsent(mesh, _ -> {
            MeshTrust last = memory.last(mesh, said);
            boolean unfinished = !last.isTheSameTo(said);
            MeshRollout rollout = new MeshRollout(
                    last, () -> authorities.of(mesh), this::names, now -> memory.keep(mesh, now), pause, blocking);
            if (unfinished) {
                LOG.info("mesh {}: a change of its authorities goes on in {} s", mesh, RETURN.toSeconds());
                rollout.resumeAfter(RETURN);
            } else {
                memory.keep(mesh, last);
            }
            return rollout;
        });
    }

    private List<SpiffeId> names(NodeLink node) {
        return dataplanes.identities(
                new NodeKey(node.principal().mesh(), node.principal().name()));
    }

    /** Keeps a node up to date until its link ends. May block. */
    void follow(NodeLink node) {
        early.add(node);
        var _ = node.link().closed().thenAccept(_ -> early.remove(node));
        join(node);
    }

    /** It stays among the early ones until it has been told, so that no change in between is missed. */
    private void join(NodeLink node) {
        String mesh = node.principal().mesh();
        try {
            if (of(mesh).isPresent() && early.remove(node)) {
                Optional.ofNullable(meshes.get(mesh)).ifPresent(rollout -> rollout.join(node));
            }
        } catch (AuthorityException e) {
            LOG.info(
                    "{}; {} is told when there is one",
                    e.getMessage(),
                    node.principal().name());
        }
    }

    /** Has whatever the resources of data planes say about them be in their certificates soon. */
    public void follow(ModelFeed model) {
        model.listen(update -> update.touched().forEach(subject -> {
            if (subject instanceof Subject.DataplaneOf(String mesh, String name)) {
                Optional.ofNullable(meshes.get(mesh))
                        .ifPresent(rollout -> blocking.execute(() -> rollout.renamed(name)));
            }
        }));
    }

    /** Looks again at what meshes say. May block. */
    public void look() {
        early.forEach(this::join);
        meshes.values().forEach(MeshRollout::advance);
    }
}
