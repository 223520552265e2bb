package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.proxy.Direction;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that last are told apart from short ones by whoever looks now and then. */
class SessionsTest {
    private static final InetSocketAddress SOMEWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final EmbeddedChannel client = new EmbeddedChannel();
    private final Sessions sessions = new Sessions(() -> 0, _ -> {});
    private final Session session =
            sessions.open(new Accepted(Direction.OUTBOUND, "listener", SOMEWHERE, SOMEWHERE, 0), client);
    private final AtomicInteger done = new AtomicInteger();

    @AfterEach
    void close() {
        assertThat(client.finishAndReleaseAll()).isFalse();
    }

    private int doneAfterALook() {
        sessions.tendLasting();
        client.runPendingTasks();
        return done.get();
    }

    @Test
    void whatIsToBeDoneIfAConnectionLastsIsDoneOnce() {
        session.ifItLasts(done::incrementAndGet);
        client.runPendingTasks();
        assertThat(done).as("nobody has looked").hasValue(0);
        assertThat(doneAfterALook()).isEqualTo(1);
        assertThat(doneAfterALook()).isEqualTo(1);
    }

    @Test
    void itIsDoneOnTheConnectionsEventLoop() {
        session.ifItLasts(done::incrementAndGet);
        sessions.tendLasting();
        assertThat(done).as("the loop has not had its turn").hasValue(0);
        client.runPendingTasks();
        assertThat(done).hasValue(1);
    }

    @Test
    void itIsNotDoneForAConnectionThatIsOver() {
        session.ifItLasts(done::incrementAndGet);
        sessions.close(session);
        assertThat(doneAfterALook()).isZero();
    }

    @Test
    void howAConnectionEndedIsKnownWhenItIsReportedAndDoesNotChange() {
        List<String> reported = new ArrayList<>();
        Sessions told = new Sessions(
                () -> 0,
                over -> reported.add(Objects.requireNonNull(over.ending()).cause()));
        Session one = told.open(session.accepted(), client);
        told.close(one);
        one.ends(Ending.IDLE);
        assertThat(reported).containsExactly("client-closed");
        assertThat(one.ending()).isEqualTo(Ending.CLIENT_CLOSED);
    }

    @Test
    void aConnectionThatHasNoServerYetIsLookedAtAgain() {
        assertThat(doneAfterALook()).isZero();
        session.ifItLasts(done::incrementAndGet);
        assertThat(doneAfterALook()).isEqualTo(1);
    }
}
