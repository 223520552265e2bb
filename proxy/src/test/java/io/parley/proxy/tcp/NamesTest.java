package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order the addresses of a name are dialled. */
class NamesTest {
    private static final InetAddress FIRST = address(1);
    private static final InetAddress SECOND = address(2);
    private static final InetAddress THIRD = address(3);

    private final Names names = new Names(_ -> new InetAddress[] {FIRST, SECOND, THIRD});

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<InetAddress> found(String host) {
        return names.find(host).join();
    }

    @Test
    void theSystemsOrderIsKeptAsLongAsAllWork() {
        assertThat(found("works.test")).containsExactly(FIRST, SECOND, THIRD);
        assertThat(found("works.test")).containsExactly(FIRST, SECOND, THIRD);
    }

    @Test
    void anAddressThatFailedComesLast() {
        names.failed("moved.test", FIRST);
        assertThat(found("moved.test")).containsExactly(SECOND, THIRD, FIRST);
        assertThat(found("other.test")).containsExactly(FIRST, SECOND, THIRD);
    }

    @Test
    void whenAllHaveFailedItBeginsAnew() {
        names.failed("down.test", FIRST);
        names.failed("down.test", SECOND);
        names.failed("down.test", THIRD);
        assertThat(found("down.test")).containsExactly(FIRST, SECOND, THIRD);
        names.failed("down.test", FIRST);
        assertThat(found("down.test")).containsExactly(SECOND, THIRD, FIRST);
    }

    @Test
    void whoeverWaitsHearsThatANameCannotBeLookedUp() {
        Names unknown = new Names(host -> {
            throw new UnknownHostException(host);
        });
        assertThat(unknown.find("nowhere.test"))
                .failsWithin(DiallerTest.PATIENCE)
                .withThrowableThat()
                .withMessageContaining("no address of nowhere.test");
        Names broken = new Names(_ -> {
            throw new IllegalArgumentException("no name at all");
        });
        assertThat(broken.find("a..b"))
                .failsWithin(DiallerTest.PATIENCE)
                .withThrowableThat()
                .withMessageContaining("no name at all");
    }
}
