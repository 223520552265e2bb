package io.parley.proxy.http2;

import java.util.concurrent.TimeUnit;

/**
 * Tells whether a peer that owes an answer is still there. One that has gone without a word, with its machine or with the way to it, looks
 * like one that takes its time: so it is asked, which a living one answers as good as at once.
 *
 * <p>It is not asked often, as servers of gRPC end connections on which they are: more than two questions sooner than five minutes after the
 * one before, with nothing but answers to them in between, are too many for them.
 */
final class Pulse {
    /** What to do. */
    enum Beat {
        NOTHING,
        ASK,
        GIVE_UP
    }

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long RARELY_NANOS = TimeUnit.SECONDS.toNanos(310);
    private static final int QUESTIONS = 3;

    private int heard;
    private int told;
    private int begunThen;
    private int questions;
    private long since;
    private boolean owed;
    private boolean asked;

    /** Whether it has been asked and has not answered yet. */
    boolean isInDoubt() {
        return asked;
    }

    /**
     * Looks.
     *
     * @param sounds how often something came from the peer, ever
     * @param messages how many heads and pieces of content of it there were
     * @param begun how many requests it was sent, ever
     * @param owes whether something should come
     */
    Beat look(long now, int sounds, int messages, int begun, boolean owes) {
        if (messages != told) {
            told = messages;
            questions = 0;
        }
        if (!owes || !owed || sounds != heard) {
            owed = owes;
            heard = sounds;
            since = now;
            asked = false;
            return Beat.NOTHING;
        }
        if (now - since <= (asked ? PATIENCE_NANOS : patience(begun))) {
            return Beat.NOTHING;
        }
        if (asked) {
            return Beat.GIVE_UP;
        }
        asked = true;
        since = now;
        begunThen = begun;
        questions++;
        return Beat.ASK;
    }

    /** Once it has answered, it is asked again soon only for the sake of a request that came later. */
    private long patience(int begun) {
        boolean soon = questions == 0 || (questions < QUESTIONS && begun != begunThen);
        return soon ? PATIENCE_NANOS : RARELY_NANOS;
    }
}
