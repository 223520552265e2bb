package io.parley.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.store.JavaProgram;
import io.parley.store.LeaderElection;
import io.parley.store.Role;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
final class PostgresLeaderElectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final LeaseTimes FAST =
            new LeaseTimes(Duration.ofMillis(1000), Duration.ofMillis(200), Duration.ofMillis(100));
    /** A busy machine does not miss all of its heartbeats. */
    private static final LeaseTimes STEADY =
            new LeaseTimes(Duration.ofSeconds(3), Duration.ofMillis(200), Duration.ofMillis(100));

    private PostgresServer server;

    @BeforeAll
    void start() {
        server = PostgresServer.start(PostgresServer.Disk.NO_FSYNC);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private LeaderElection stand(String lease, String holder) {
        return stand(lease, holder, FAST);
    }

    private LeaderElection stand(String lease, String holder, LeaseTimes times) {
        return PostgresLeaderElection.start(PostgresUrl.parse(server.url()), lease, holder, times, System::nanoTime);
    }

    @Test
    void oneLeadsAndAnotherTakesOverWhenItStepsDown() throws Exception {
        LeaderElection first = stand("close", "first", STEADY);
        assertThat(first.awaitChange(Role.FOLLOWER, PATIENCE)).isEqualTo(Role.LEADER);
        try (LeaderElection second = stand("close", "second", STEADY)) {
            assertThat(second.awaitChange(Role.FOLLOWER, STEADY.lease().plusMillis(500)))
                    .isEqualTo(Role.FOLLOWER);
            assertThat(first.role()).isEqualTo(Role.LEADER);
            first.close();
            assertThat(first.role()).isEqualTo(Role.FOLLOWER);
            assertThat(second.awaitChange(Role.FOLLOWER, PATIENCE)).isEqualTo(Role.LEADER);
        }
    }

    @Test
    void killingTheLeaderMovesLeadershipWithinTenSeconds() throws Exception {
        Process leader = new ProcessBuilder(JavaProgram.command(LeaderProgram.class, server.url(), "kill"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var lines = leader.inputReader()) {
            assertThat(lines.lines().anyMatch("LEADER"::equals)).isTrue();
        }
        try (LeaderElection next = PostgresLeaderElection.start(
                PostgresUrl.parse(server.url()), "kill", "next", LeaseTimes.DEFAULT, System::nanoTime)) {
            assertThat(next.role()).isEqualTo(Role.FOLLOWER);
            leader.destroyForcibly().waitFor();
            assertThat(next.awaitChange(Role.FOLLOWER, Duration.ofSeconds(10))).isEqualTo(Role.LEADER);
        }
    }

    @Test
    void aLeaderThatWasFrozenHasSteppedDownWhenAnotherStepsUp() throws Exception {
        var frozenFor = new AtomicLong();
        try (LeaderElection frozen = PostgresLeaderElection.start(
                PostgresUrl.parse(server.url()), "freeze", "frozen", FAST, () -> System.nanoTime() + frozenFor.get())) {
            assertThat(frozen.awaitChange(Role.FOLLOWER, PATIENCE)).isEqualTo(Role.LEADER);
            // Keeps a heartbeat from coming between the two lines below.
            server.freeze();
            try {
                frozenFor.set(Duration.ofSeconds(1).toNanos());
                assertThat(frozen.role()).isEqualTo(Role.FOLLOWER);
            } finally {
                server.thaw();
            }
        }
    }

    @Test
    void nobodyLeadsWhileTheDatabaseHangsAndSomebodyDoesAfterwards() throws Exception {
        try (LeaderElection leader = stand("hang", "only")) {
            assertThat(leader.awaitChange(Role.FOLLOWER, PATIENCE)).isEqualTo(Role.LEADER);
            server.freeze();
            try {
                assertThat(leader.awaitChange(Role.LEADER, PATIENCE)).isEqualTo(Role.FOLLOWER);
            } finally {
                server.thaw();
            }
            assertThat(leader.awaitChange(Role.FOLLOWER, PATIENCE)).isEqualTo(Role.LEADER);
        }
    }

    @Test
    void differentLeasesHaveDifferentLeaders() throws Exception {
        try (LeaderElection east = stand("east", "same");
                LeaderElection west = stand("west", "other")) {
            assertThat(east.awaitChange(Role.FOLLOWER, PATIENCE)).isEqualTo(Role.LEADER);
            assertThat(west.awaitChange(Role.FOLLOWER, PATIENCE)).isEqualTo(Role.LEADER);
        }
    }
}
