package io.parley.control.feed;

import io.parley.control.feed.ModelFeed;

import io.parley.control.model.Model;
import io.parley.store.StoreException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work to be done after changes of a model, at a pace: however many there were since the last turn, it is done once. */
public final class FollowUp {
    private static final Logger LOG = LoggerFactory.getLogger(FollowUp.class);

    private final String what;
    private final ModelFeed feed;
    private final Work work;
    private final AtomicBoolean changed = new AtomicBoolean(true);

    /** What became of the work. */
    public enum Outcome {
        DONE,
        /** It is not ours to do now, or not all could be done: at the next turn, also without a change. */
        AGAIN
    }

    /** May block, and fail for the store's sake: then it is done again. */
    @FunctionalInterface
    public interface Work {
        Outcome after(Model model);
    }

    /**
     * @param what is not so yet when the work fails, for the log
     */
    public FollowUp(String what, ModelFeed feed, Work work) {
        this.what = what;
        this.feed = feed;
        this.work = work;
    }

    /** The timer may be blocked by the work. */
    public void start(ScheduledExecutorService timer, Duration pace) {
        feed.listen(update -> {
            if (update.all() || !update.touched().isEmpty()) {
                changed.set(true);
            }
        });
        var _ = timer.scheduleWithFixedDelay(this::turn, 0, pace.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Does what there is to do. */
    public void turn() {
        if (!changed.getAndSet(false)) {
            return;
        }
        try {
            if (work.after(feed.current()) == Outcome.AGAIN) {
                changed.set(true);
            }
        } catch (StoreException e) {
            // Somebody wrote the same at the same moment, or the store is away.
            changed.set(true);
            LOG.warn("{}: not yet: {}", what, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{}: this is a fault in the program", what, e);
        }
    }
}
