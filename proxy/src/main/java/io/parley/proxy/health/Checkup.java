package io.parley.proxy.health;

import io.parley.proxy.config.HttpUpstream.HealthCheck;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One question, asked again and again. The first answer counts at once: an endpoint that is down when it becomes known should get
 * nothing, and one that is up should not have to prove it twice. After that a change must be seen as often as the check says.
 */
final class Checkup {
    /** Intervals differ by up to a tenth, so that many proxies do not ask at the same moment. */
    private static final double JITTER = 0.1;

    private final Surgery surgery;
    private final HealthCheck check;
    private final Probe probe;
    private final Runnable judged;
    private boolean healthy = true;
    private boolean answeredBefore;
    private boolean stopped;
    private int against;
    private int asked;
    private Runnable callOff = () -> {};
    private @Nullable Future<?> deadline;

    Checkup(Surgery surgery, HealthCheck check, Probe probe, Runnable judged) {
        this.surgery = surgery;
        this.check = check;
        this.probe = probe;
        this.judged = judged;
    }

    boolean isHealthy() {
        return healthy;
    }

    void stop() {
        stopped = true;
        callOff.run();
        settled();
    }

    void ask() {
        if (stopped) {
            return;
        }
        int question = ++asked;
        Runnable giveUp = probe.ask(good -> answered(question, good));
        if (asked == question) { // else it was answered at once
            callOff = giveUp;
            deadline = surgery.loop()
                    .schedule(() -> late(question), check.timeout().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void late(int question) {
        callOff.run();
        answered(question, false);
    }

    /** Nothing is under way: what was is not kept until its time would be over. */
    private void settled() {
        callOff = () -> {};
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    /** The first answer to a question counts; what comes after the time has run out does not. */
    private void answered(int question, boolean good) {
        if (question != asked || stopped) {
            return;
        }
        asked++;
        settled();
        weigh(good);
        judged.run();
        double chance = surgery.surroundings().chance().get().nextDouble();
        long wait = (long) (check.interval().toNanos() * (1 + JITTER * chance));
        surgery.loop().schedule(this::ask, wait, TimeUnit.NANOSECONDS);
    }

    private void weigh(boolean good) {
        against = good == healthy ? 0 : against + 1;
        int needed = answeredBefore ? (good ? check.healthy() : check.unhealthy()) : 1;
        answeredBefore = true;
        if (against >= needed) {
            healthy = good;
            against = 0;
        }
    }
}
