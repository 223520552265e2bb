package io.parley.proxy.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Which version of HTTP an endpoint is spoken to in that may speak either. */
class LiveEndpointTest {
    private static final HttpUpstream EITHER = HttpUpstream.DEFAULT.in(Version.HTTP2, Version.HTTP1);

    private final LiveEndpoint endpoint = new LiveEndpoint(Endpoint.plain(new InetSocketAddress("192.0.2.1", 80)), 0);

    @Test
    void allRequestsOnAConnectionThatFindOutTogetherTryTheOtherVersion() {
        for (int i = 0; i < 4; i++) {
            assertThat(endpoint.disappoint(EITHER, Version.HTTP2)).isTrue();
            assertThat(endpoint.version(EITHER, Version.HTTP2)).isEqualTo(Version.HTTP1);
        }
    }

    @Test
    void whoSpeaksNeitherIsSpokenToInTheFirstAgain() {
        assertThat(endpoint.disappoint(EITHER, Version.HTTP2)).isTrue();
        assertThat(endpoint.disappoint(EITHER, Version.HTTP1)).isFalse();
        assertThat(endpoint.version(EITHER, Version.HTTP2)).isEqualTo(Version.HTTP2);
    }

    @Test
    void whoMustSpeakOneVersionIsTriedInNoOther() {
        HttpUpstream one = HttpUpstream.DEFAULT.in(Version.HTTP2, null);
        assertThat(endpoint.disappoint(one, Version.HTTP2)).isFalse();
        assertThat(endpoint.version(one, Version.HTTP2)).isEqualTo(Version.HTTP2);
    }
}
