package io.parley.xds.server.snapshot;

import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.xds.server.snapshot.LiveSnapshot.Change;
import io.parley.xds.server.snapshot.LiveSnapshot.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Watchers that share a thread are told together, on that thread. */
class LiveSnapshotTest {
    private static final int MANY = 300;
    private static final int ROUNDS = 20;
    private static final int QUEUED = 50_000;

    private final LiveSnapshot live = new LiveSnapshot(state(0));
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Executor thread = tasks::add;
    private final List<String> told = new ArrayList<>();
    private long now = 1;

    @Test
    void onePublicationIsOneTaskForAllOfAThread() {
        watch("a");
        watch("b");

        live.publish(state(1));

        assertThat(told).isEmpty();
        assertThat(tasks).hasSize(1);
        runAll();
        assertThat(told).containsExactly("a [1]", "b [1]");
    }

    @Test
    void theyAreToldInTheOrderInWhichTheyCame() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            watch("w" + i);
            expected.add("w" + i + " [1]");
        }

        live.publish(state(1));
        runAll();

        assertThat(told).isEqualTo(expected);
    }

    @Test
    void otherWorkOfTheThreadDoesNotWaitForAll() {
        for (int i = 0; i < MANY; i++) {
            watch("w" + i);
        }
        live.publish(state(1));
        tasks.add(() -> told.add("other work"));

        runAll();

        assertThat(told).hasSize(MANY + 1);
        assertThat(told.indexOf("other work")).isBetween(1, MANY / 2);
    }

    @Test
    void changesThatComeBeforeTheThreadIsFreeAreToldTogether() {
        watch("a");

        live.publish(state(1));
        now = 2;
        live.publish(state(2));

        assertThat(tasks).hasSize(1);
        runAll();
        assertThat(told).containsExactly("a [1, 2]");
    }

    @Test
    void aChangeWhileOthersAreToldReachesAllOfThem() {
        Member publisher = member("publishing");
        live.watch(
                new Member() {
                    @Override
                    public void changed(List<Change> changes) {
                        publisher.changed(changes);
                        if (now == 1) {
                            now = 2;
                            live.publish(state(2));
                        }
                    }

                    @Override
                    public void unreachable() {}

                    @Override
                    public void failed(Throwable fault) {}
                },
                thread,
                () -> now);
        watch("b");

        live.publish(state(1));
        runAll();

        assertThat(told).containsExactly("publishing [1]", "b [1]", "publishing [2]", "b [2]");
    }

    /** The longer the queue, the more time there is to join and to publish while it is emptied. */
    @Test
    void whoJoinsWhileTheQueueIsEmptiedMissesNothingThatComesAfter() throws Exception {
        Snapshot[] states = {state(1), state(2)};
        for (int round = 0; round < ROUNDS; round++) {
            watch("a");
            for (int change = 0; change < QUEUED; change++) {
                live.publish(states[change % 2]);
            }
            AtomicBoolean running = new AtomicBoolean();
            Thread loop = Thread.ofPlatform().start(() -> {
                running.set(true);
                runAll();
            });
            while (!running.get()) {
                Thread.onSpinWait();
            }
            List<Change> toldLate = new CopyOnWriteArrayList<>();
            live.watch(noting(toldLate), thread, () -> now);
            live.publish(state(3));
            loop.join();
            runAll();

            assertThat(toldLate).as("round %d", round).isNotEmpty();
        }
    }

    private static Member noting(List<Change> changes) {
        return new Member() {
            @Override
            public void changed(List<Change> news) {
                assertThat(news).isNotEmpty();
                changes.addAll(news);
            }

            @Override
            public void unreachable() {}

            @Override
            public void failed(Throwable fault) {
                throw new AssertionError(fault);
            }
        };
    }

    @Test
    void theSameContentTwiceTellsNobody() {
        watch("a");

        live.publish(state(0));

        assertThat(tasks).isEmpty();
    }

    @Test
    void whoLeftIsNotTold() {
        Member left = watch("left");
        watch("b");
        assertThat(live.watcherCount()).isEqualTo(2);

        live.unwatch(left, thread);
        live.publish(state(1));
        runAll();

        assertThat(told).containsExactly("b [1]");
        assertThat(live.watcherCount()).isEqualTo(1);
    }

    @Test
    void aThreadThatTakesNoMoreWorkLosesItsOwnOnly() {
        Executor gone = _ -> {
            throw new RejectedExecutionException("shut down");
        };
        live.watch(member("lost"), gone, () -> now);
        watch("b");

        live.publish(state(1));
        runAll();

        assertThat(told).containsExactly("lost is unreachable", "b [1]");
    }

    @Test
    void aFaultInOneKeepsNobodyElseFromBeingTold() {
        live.watch(
                failing(() -> {
                    throw new IllegalStateException("a fault");
                }),
                thread,
                () -> now);
        watch("b");

        publishTwice();

        assertThat(told).containsExactly("failed: a fault", "b [1]", "failed: a fault", "b [2]");
    }

    @Test
    void anErrorInOneKeepsNobodyElseFromBeingToldEither() {
        live.watch(
                failing(() -> {
                    throw new StackOverflowError("no room");
                }),
                thread,
                () -> now);
        watch("b");

        publishTwice();

        assertThat(told).containsExactly("failed: no room", "b [1]", "failed: no room", "b [2]");
    }

    private void publishTwice() {
        live.publish(state(1));
        runAll();
        now = 2;
        live.publish(state(2));
        runAll();
    }

    private Member failing(Runnable fails) {
        return new Member() {
            @Override
            public void changed(List<Change> changes) {
                fails.run();
            }

            @Override
            public void unreachable() {}

            @Override
            public void failed(Throwable fault) {
                told.add("failed: " + fault.getMessage());
                fails.run();
            }
        };
    }

    private Member watch(String name) {
        Member member = member(name);
        live.watch(member, thread, () -> now);
        return member;
    }

    private Member member(String name) {
        return new Member() {
            @Override
            public void changed(List<Change> changes) {
                assertThat(changes)
                        .allSatisfy(change -> assertThat(change.byType()).hasSize(1));
                told.add(name + ' ' + changes.stream().map(Change::at).toList());
            }

            @Override
            public void unreachable() {
                told.add(name + " is unreachable");
            }

            @Override
            public void failed(Throwable fault) {
                told.add(name + " failed: " + fault);
            }
        };
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private static Snapshot state(int timeout) {
        return Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a", timeout)));
    }
}
