package io.parley.control.identity;

import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.feed.FollowUp;
import io.parley.control.feed.ModelFeed;
import io.parley.resource.mesh.Mtls;
import io.parley.store.Failure;
import io.parley.store.StoreException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** On the global control plane: sees to it that every builtin authority that a mesh names is there for all zones. */
public final class SharedAuthorities {
    private static final Logger LOG = LoggerFactory.getLogger(SharedAuthorities.class);
    private static final Duration PACE = Duration.ofMillis(500);

    private final MeshAuthorities authorities;
    private final ModelFeed feed;

    public SharedAuthorities(MeshAuthorities authorities, ModelFeed feed) {
        this.authorities = authorities;
        this.feed = feed;
    }

    /** The timer may be blocked by the store. */
    public void start(ScheduledExecutorService timer) {
        new FollowUp("authorities for all zones", feed, this::shareAll).start(timer, PACE);
    }

    private FollowUp.Outcome shareAll(Model model) {
        FollowUp.Outcome outcome = FollowUp.Outcome.DONE;
        for (MeshModel mesh : model.meshes().values()) {
            Mtls mtls = mesh.spec().mtls();
            if (mtls != null && mesh.declared()) {
                for (Mtls.Authority backend : mtls.backends()) {
                    if (backend.type().equals("builtin") && !share(mesh.name(), backend.name())) {
                        outcome = FollowUp.Outcome.AGAIN;
                    }
                }
            }
        }
        return outcome;
    }

    /** One that cannot be shared stops no other; whether there is nothing left to do. */
    private boolean share(String mesh, String backend) {
        try {
            authorities.share(mesh, backend);
            return true;
        } catch (StoreException e) {
            // Another global control plane may have been faster: then it is there at the next look.
            if (!(e.failure() instanceof Failure.Conflict)) {
                LOG.warn("the authority {} of mesh {} is not there for zones yet: {}", backend, mesh, e.getMessage());
            }
            return false;
        } catch (RuntimeException e) {
            LOG.error("the authority {} of mesh {} cannot be shared: a fault in the program", backend, mesh, e);
            return true;
        }
    }
}
