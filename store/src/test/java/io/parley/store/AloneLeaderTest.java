package io.parley.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AloneLeaderTest {
    @Test
    void leadsUntilClosed() throws Exception {
        LeaderElection election = LeaderElection.alone();
        assertThat(election.awaitChange(Role.FOLLOWER, Duration.ofSeconds(30))).isEqualTo(Role.LEADER);
        assertThat(election.awaitChange(Role.LEADER, Duration.ofMillis(1))).isEqualTo(Role.LEADER);
        election.close();
        assertThat(election.awaitChange(Role.LEADER, Duration.ofSeconds(30))).isEqualTo(Role.FOLLOWER);
    }
}
