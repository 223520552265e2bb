package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of the addresses of a name is dialled. */
class NamesTest {
    private static final InetAddress FIRST = address(1);
    private static final InetAddress SECOND = address(2);
    private static final List<InetAddress> BOTH = List.of(FIRST, SECOND);

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theSystemsFirstIsTakenAsLongAsItWorks() {
        assertThat(Names.next("works.test", BOTH)).isEqualTo(FIRST);
        assertThat(Names.next("works.test", BOTH)).isEqualTo(FIRST);
    }

    @Test
    void anAddressThatFailedGivesWayToTheNext() {
        Names.failed("moved.test", FIRST);
        assertThat(Names.next("moved.test", BOTH)).isEqualTo(SECOND);
        assertThat(Names.next("other.test", BOTH)).isEqualTo(FIRST);
    }

    @Test
    void whenAllHaveFailedItBeginsAnew() {
        Names.failed("down.test", FIRST);
        Names.failed("down.test", SECOND);
        assertThat(Names.next("down.test", BOTH)).isEqualTo(FIRST);
        Names.failed("down.test", FIRST);
        assertThat(Names.next("down.test", BOTH)).isEqualTo(SECOND);
    }
}
