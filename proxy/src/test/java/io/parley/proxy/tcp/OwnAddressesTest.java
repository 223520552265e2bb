package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnAddressesTest {
    private final OwnAddresses own =
            new OwnAddresses(Set.of(address("10.1.0.5", 0).getAddress()));

    @ParameterizedTest
    @CsvSource({
        // Bound to one address.
        "127.0.0.1, 127.0.0.1, true",
        "127.0.0.1, 127.0.0.2, false",
        "127.0.0.1, 10.1.0.5,  false",
        "127.0.0.1, 0.0.0.0,   true",
        "10.1.0.5,  0.0.0.0,   false",
        "10.1.0.5,  10.1.0.5,  true",
        "::1,       127.0.0.1, false",
        // Bound to all of them.
        "0.0.0.0,   127.0.0.1, true",
        "0.0.0.0,   127.0.0.2, true",
        "0.0.0.0,   10.1.0.5,  true",
        "0.0.0.0,   10.1.0.6,  false",
        "::,        10.1.0.5,  true",
        "::,        ::1,       true"
    })
    void thePortOfAnotherAddressIsSomebodyElses(String bound, String dialled, boolean expected) {
        own.add(address(bound, 4143));
        assertThat(own.isOwn(address(dialled, 4143))).isEqualTo(expected);
        assertThat(own.isOwn(address(dialled, 4144))).isFalse();
    }

    @Test
    void anAddressIsOwnUntilTheLastOfItsListenersIsGone() {
        InetSocketAddress address = address("127.0.0.1", 4143);
        own.add(address);
        own.add(address);
        own.remove(address);
        assertThat(own.isOwn(address)).isTrue();
        own.remove(address);
        assertThat(own.isOwn(address)).isFalse();
    }

    private static InetSocketAddress address(String text, int port) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text)), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
