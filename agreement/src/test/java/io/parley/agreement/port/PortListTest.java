package io.parley.agreement.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | ''",
                "3306 | 3306",
                "' 25 , 3306 ' | 25,3306",
                "1 | 1",
                "65535 | 65535",
                "1-65535 | 1-65535",
                "4320-4325,25 | 25,4320-4325",
                "80,81,82 | 80-82",
                "10-20,15-30 | 10-30",
                "80-80 | 80",
                "3306, | 3306",
                "',,3306,,' | 3306",
                "00080 | 80",
            })
    void readsNumbersAndRanges(String text, String expected) {
        PortList list = PortList.parse(text);

        assertThat(list.ports()).hasToString(expected);
        assertThat(list.rejected()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "65536",
                "-1",
                "80-",
                "-80",
                "80-79",
                "0-10",
                "1-65536",
                "1-2-3",
                "mysql",
                "8 0",
                "+80",
                "99999999999",
                "٨٠",
                "-"
            })
    void rejectsAnItemThatIsNoPortAndKeepsTheOthers(String item) {
        PortList list = PortList.parse("25," + item + ",443");

        assertThat(list.ports()).hasToString("25,443");
        assertThat(list.rejected()).singleElement().satisfies(rejected -> {
            assertThat(rejected.position()).isEqualTo(1);
            assertThat(rejected.item()).isEqualTo(item);
            assertThat(rejected.reason()).contains("expected: ");
        });
    }

    @Test
    void reportsEveryBadItem() {
        assertThat(PortList.parse("a,1,b,70000").rejected())
                .extracting(PortList.Rejected::position)
                .containsExactly(0, 2, 3);
    }

    @Test
    void case36_resolvesNamesBeforeRanges() {
        Map<String, PortSet> named =
                Map.of("mysql", PortSet.of(PortRange.of(3306)), "123-456", PortSet.of(PortRange.of(8080)));

        assertThat(PortList.parse("mysql,25,4320-4325,", named).ports()).hasToString("25,3306,4320-4325");
        assertThat(PortList.parse("123-456", named).ports()).hasToString("8080");
        assertThat(PortList.parse("123-456").ports()).hasToString("123-456");
        assertThat(PortList.parse("").ports()).isEqualTo(PortSet.EMPTY);
    }

    @Test
    void aNameMayStandForSeveralPorts() {
        Map<String, PortSet> named = Map.of("db", PortSet.of(PortRange.of(3306), PortRange.of(33060)));

        assertThat(PortList.parse("db", named).ports()).hasToString("3306,33060");
    }
}
