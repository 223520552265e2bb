package io.parley.agreement.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PortSetTest {
    @Test
    void keepsARangeOfAllPortsAsOneInterval() {
        assertThat(PortList.parse("1-65535,80,443,1-1024").ports().ranges()).containsExactly(new PortRange(1, 65535));
    }

    @Test
    void manyRangesStayIntervals() {
        StringBuilder everySecondPort = new StringBuilder();
        for (int port = 1; port <= PortRange.HIGHEST; port += 2) {
            everySecondPort.append(port).append(',');
        }

        PortSet odd = PortList.parse(everySecondPort.toString()).ports();

        assertThat(odd.ranges()).hasSize(32768);
        assertThat(odd.contains(65535)).isTrue();
        assertThat(odd.contains(65534)).isFalse();
        assertThat(odd.or(PortSet.of(new PortRange(1, 65535))).ranges()).hasSize(1);
    }

    @Test
    void case35_unionKeepsWhatOnePodStillDeclares() {
        PortSet one = PortSet.of(PortRange.of(3306));
        PortSet two = PortSet.of(PortRange.of(3306), PortRange.of(33060));

        assertThat(PortSet.union(List.of(one, two))).hasToString("3306,33060");
        assertThat(PortSet.union(List.of(one))).hasToString("3306");
        assertThat(PortSet.union(List.of())).isEqualTo(PortSet.EMPTY);
    }

    @Test
    void refusesARangeOutsideThePorts() {
        assertThatThrownBy(() -> new PortRange(0, 1))
                .hasMessageContaining("0-1")
                .hasMessageContaining("expected");
        assertThatThrownBy(() -> new PortRange(1, 65536)).hasMessageContaining("65536");
        assertThatThrownBy(() -> new PortRange(2, 1)).hasMessageContaining("2-1");
    }

    @Test
    void agreesWithAPlainSetForRandomRanges() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BitSet model = new BitSet();
        List<PortRange> ranges = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int first = 1 + random.nextInt(65000);
            int last = Math.min(PortRange.HIGHEST, first + random.nextInt(300));
            ranges.add(new PortRange(first, last));
            model.set(first, last + 1);
        }

        PortSet set = new PortSet(ranges);

        for (int port = 1; port <= PortRange.HIGHEST; port++) {
            assertThat(set.contains(port)).as("port %d, seed %d", port, seed).isEqualTo(model.get(port));
        }
        assertThat(PortList.parse(set.toString()).ports()).as("seed %d", seed).isEqualTo(set);
    }
}
