package io.parley.store.postgres;

import java.time.Duration;

/**
 * How fast leadership moves: when a leader dies, another leads after at most a lease and a heartbeat.
 *
 * @param lease how long a heartbeat makes a leader, by the database's clock
 * @param heartbeat how often the leader renews and the others try
 * @param margin how much earlier than its lease's end a leader stops to trust it
 */
public record LeaseTimes(Duration lease, Duration heartbeat, Duration margin) {
    public static final LeaseTimes DEFAULT =
            new LeaseTimes(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMillis(500));

    public LeaseTimes {
        if (heartbeat.plus(margin).compareTo(lease) >= 0) {
            throw new IllegalArgumentException("lease: " + lease + " (expected: more than heartbeat " + heartbeat
                    + " and margin " + margin + " together)");
        }
    }
}
