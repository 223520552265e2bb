package io.parley.store.postgres;

import io.parley.store.LeaderElection;
import io.parley.store.Role;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whoever has the row of a lease leads. The database's clock decides when a lease is over, so clocks of control planes may be
 * wrong. A leader counts its lease from before it asked, on a clock that only goes forward, and stops to lead a little earlier:
 * also one that was frozen, or cut off from the database, has stepped down when another steps up.
 */
public final class PostgresLeaderElection implements LeaderElection {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLeaderElection.class);
    private static final String TAKE_OR_RENEW = """
        INSERT INTO lease (name, holder, expires) VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond')
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
        WHERE lease.holder = excluded.holder OR lease.expires < clock_timestamp()\
        """;
    private static final String GIVE_UP = "DELETE FROM lease WHERE name = ? AND holder = ?";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Connector connector;
    private final String name;
    private final String holder;
    private final LeaseTimes times;
    private final LongSupplier ticker;
    private final Thread thread;
    private volatile long leadsUntil;
    private volatile boolean closed;

    private PostgresLeaderElection(
            Connector connector, String name, String holder, LeaseTimes times, LongSupplier ticker) {
        this.connector = connector;
        this.name = name;
        this.holder = holder;
        this.times = times;
        this.ticker = ticker;
        this.leadsUntil = ticker.getAsLong();
        this.thread = Thread.ofVirtual().name("leader-election").start(this::run);
    }

    /**
     * Stands for election.
     *
     * @param name what is led; those who give the same name compete
     * @param holder who we are, different from all others and at each start
     * @param ticker nanoseconds that only go forward
     */
    public static PostgresLeaderElection start(
            PostgresUrl url, String name, String holder, LeaseTimes times, LongSupplier ticker) {
        var connector = new Connector(url, Connector.SCHEMA);
        connector.migrate();
        return new PostgresLeaderElection(connector, name, holder, times, ticker);
    }

    @Override
    public Role role() {
        return left() > 0 ? Role.LEADER : Role.FOLLOWER;
    }

    private long left() {
        return closed ? 0 : leadsUntil - ticker.getAsLong();
    }

    @Override
    public Role awaitChange(Role from, Duration timeout) throws InterruptedException {
        long end = ticker.getAsLong() + TimeUnit.NANOSECONDS.convert(timeout);
        lock.lock();
        try {
            while (role() == from && !(closed && from == Role.FOLLOWER)) {
                long wait = end - ticker.getAsLong();
                if (wait <= 0) {
                    break;
                }
                // A lease runs out by itself, without a signal.
                var _ = changed.awaitNanos(from == Role.LEADER ? Math.min(wait, left()) : wait);
            }
            return role();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (!closed) {
            try (Connection connection = connector.connect()) {
                while (!closed) {
                    beat(connection);
                    pause();
                }
                giveUp(connection);
            } catch (SQLException e) {
                LOG.warn("cannot stand for leader of {}: {}", name, e.getMessage());
                pause();
            }
        }
    }

    private void beat(Connection connection) throws SQLException {
        long asked = ticker.getAsLong();
        try (PreparedStatement statement = connection.prepareStatement(TAKE_OR_RENEW)) {
            statement.setString(1, name);
            statement.setString(2, holder);
            statement.setLong(3, times.lease().toMillis());
            Role before = role();
            Duration trusted = times.lease().minus(times.margin());
            settle(statement.executeUpdate() == 1 ? asked + TimeUnit.NANOSECONDS.convert(trusted) : asked);
            if (role() != before) {
                LOG.info("{} is now {} of {}", holder, role(), name);
            }
        }
    }

    private void settle(long until) {
        lock.lock();
        try {
            leadsUntil = until;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(GIVE_UP)) {
            statement.setString(1, name);
            statement.setString(2, holder);
            statement.executeUpdate();
        }
    }

    private void pause() {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(times.heartbeat());
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
