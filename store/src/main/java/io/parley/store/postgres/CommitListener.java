package io.parley.store.postgres;

import io.parley.store.engine.Head;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns of commits by others and wakes this process's watchers. Notifications carry nothing; watchers read the history. A
 * notification can get lost with its connection, so a new connection counts as one, and a look at the history each second finds
 * what no notification told.
 */
final class CommitListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitListener.class);
    private static final int LOOK_MILLIS = 1_000;

    private final Connector connector;
    private final Head head;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private long lastSeen;

    CommitListener(Connector connector, Head head) {
        this.connector = connector;
        this.head = head;
        this.thread = Thread.ofVirtual().name("store-listener").start(this::run);
    }

    private void run() {
        do {
            try (Connection connection = connector.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("LISTEN " + connector.channel());
                head.move();
                listen(connection.unwrap(PGConnection.class), statement);
            } catch (SQLException e) {
                if (isOpen()) {
                    LOG.warn("no news from {} until it is back: {}", connector.url(), e.getMessage());
                }
            }
        } while (isOpenAfterAWhile());
    }

    private void listen(PGConnection connection, Statement statement) throws SQLException {
        while (isOpen()) {
            PGNotification[] notifications = connection.getNotifications(LOOK_MILLIS);
            if ((notifications != null && notifications.length > 0) || hasMoved(statement)) {
                head.move();
            }
        }
    }

    private boolean hasMoved(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT revision FROM history")) {
            long before = lastSeen;
            lastSeen = row.next() ? row.getLong(1) : 0;
            return lastSeen != before;
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    private boolean isOpenAfterAWhile() {
        try {
            return !closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        // Closes the socket that a virtual thread waits on, so nobody waits for the second to pass.
        thread.interrupt();
    }
}
