package io.parley.store.postgres;

import io.parley.store.LeaderElection;
import io.parley.store.Role;
import java.time.Duration;

/** A program to be killed: leads until then, and says so. Arguments: the database's URL, and what to lead. */
public final class LeaderProgram {
    private LeaderProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var url = PostgresUrl.parse(arguments[0]);
        try (LeaderElection election =
                PostgresLeaderElection.start(url, arguments[1], "killed", LeaseTimes.DEFAULT, System::nanoTime)) {
            System.out.println(election.awaitChange(Role.FOLLOWER, Duration.ofSeconds(30)));
            election.awaitChange(Role.LEADER, Duration.ofSeconds(60));
        }
    }
}
