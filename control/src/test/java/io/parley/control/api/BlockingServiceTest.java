package io.parley.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import io.parley.link.server.AcceptLoops;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BlockingServiceTest {
    @Test
    void aBodyThatDoesNotArriveIsNotWaitedFor() throws Exception {
        Server server = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service(
                        "/",
                        new BlockingService(
                                (_, _) -> HttpResponse.of("never"), Thread::startVirtualThread, Duration.ofMillis(200)))
                .requestTimeout(Duration.ofMinutes(1))
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .bossGroupFactory(AcceptLoops::named)
                .build();
        server.start().join();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.activeLocalPort())) {
            socket.getOutputStream()
                    .write("PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n12345"
                            .getBytes(StandardCharsets.US_ASCII));

            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(answer.readLine()).matches("HTTP/1.1 (408|503) .*");
        } finally {
            server.stop().join();
        }
    }
}
