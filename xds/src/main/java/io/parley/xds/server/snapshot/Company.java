package io.parley.xds.server.snapshot;

import io.parley.xds.server.snapshot.LiveSnapshot.Change;
import io.parley.xds.server.snapshot.LiveSnapshot.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watchers that share a thread. The publisher hands it one task for all of them, which tells them in the order in which they came. What
 * streams keep in memory, gRPC and the kernel's buffers included, lies in about that order too, and stays with one processor; with thousands of streams most of what a change costs is to wait for memory.
 */
final class Company implements Runnable {
    /**
     * So many are told in one go, then whatever else waits for the thread has its turn: answers leave before the next are made, while
     * their bytes are in the processor's caches, and acknowledgements do not wait for all streams.
     */
    private static final int AT_ONCE = 128;

    private static final Member[] NOBODY = {};
    private static final Logger log = LoggerFactory.getLogger(Company.class);

    private final Executor thread;
    private final LongSupplier ticker;
    private final List<Member> members = new ArrayList<>(1);
    private final Queue<Change> pending = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean underway = new AtomicBoolean();

    /** The members in an array of their own; null after they changed. */
    private Member @Nullable [] listed;

    /** Those who are being told, from whom on, and what. Used on the thread only. */
    private Member[] audience = NOBODY;

    private int next;
    private List<Change> news = List.of();

    Company(Executor thread, LongSupplier ticker) {
        this.thread = thread;
        this.ticker = ticker;
    }

    boolean isOn(Executor executor) {
        return thread.equals(executor);
    }

    synchronized void add(Member member) {
        members.add(member);
        listed = null;
    }

    synchronized boolean removeAndIsEmpty(Member member) {
        members.remove(member);
        listed = null;
        return members.isEmpty();
    }

    synchronized int size() {
        return members.size();
    }

    private synchronized Member[] members() {
        if (listed == null) {
            listed = members.toArray(Member[]::new);
        }
        return listed;
    }

    /** Called by publishers. */
    void tell(Map<String, Changes> changes) {
        pending.add(new Change(changes, ticker.getAsLong()));
        begin();
    }

    private void begin() {
        if (underway.compareAndSet(false, true)) {
            goOn();
        }
    }

    private void goOn() {
        try {
            thread.execute(this);
        } catch (RejectedExecutionException e) {
            for (Member member : members()) {
                member.unreachable(); // its connection is gone with its thread; others are still to be told
            }
        }
    }

    @Override
    public void run() {
        if (audience.length == 0) {
            // In this order: who joins in between is told of what it may know, and nobody misses what came after it
            // joined.
            news = takePending();
            audience = news.isEmpty() ? NOBODY : members();
        }
        for (int end = Math.min(audience.length, next + AT_ONCE); next < end; next++) {
            tell(audience[next]);
        }
        if (next < audience.length) {
            goOn();
            return;
        }
        audience = NOBODY;
        next = 0;
        news = List.of();
        underway.set(false);
        if (!pending.isEmpty()) {
            begin();
        }
    }

    private void tell(Member member) {
        try {
            member.changed(news);
        } catch (Throwable fault) { // errors too, such as of memory: whoever comes after it would never be told again
            log.error("fault in a stream: others are told of the change", fault);
            fail(member, fault);
        }
    }

    private static void fail(Member member, Throwable fault) {
        try {
            member.failed(fault);
        } catch (Throwable another) {
            log.error("fault in a stream that has failed already", another);
        }
    }

    /** Changes that come while others are told of one are told together afterwards. */
    private List<Change> takePending() {
        List<Change> taken = new ArrayList<>(1);
        for (Change change = pending.poll(); change != null; change = pending.poll()) {
            taken.add(change);
        }
        return taken;
    }
}
