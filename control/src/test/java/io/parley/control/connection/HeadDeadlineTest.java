package io.parley.control.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import io.parley.link.server.AcceptLoops;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeadDeadlineTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nhost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @SuppressWarnings("NullAway.Init")
    private Server server;

    @BeforeEach
    void start() {
        var builder = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service("/", (_, _) -> HttpResponse.of("hello"))
                .idleTimeout(Duration.ofMinutes(2))
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .bossGroupFactory(AcceptLoops::named);
        ConnectionLimits.addTo(builder, Duration.ofMillis(300));
        server = builder.build();
        server.start().join();
    }

    @AfterEach
    void stop() {
        server.stop().join();
    }

    @Test
    void aClientThatSendsItsHeadByteByByteIsCutOff() throws Exception {
        try (Socket socket = connect()) {
            await().pollInterval(Duration.ofMillis(20)).until(() -> isClosedAfterOneMoreByte(socket));
        }
    }

    @Test
    void aClientThatSaysNothingIsCutOff() throws Exception {
        try (Socket socket = connect()) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void soIsOneThatWasAnsweredBefore() throws Exception {
        try (Socket socket = connect()) {
            ask(socket);

            await().pollInterval(Duration.ofMillis(20)).until(() -> isClosedAfterOneMoreByte(socket));
        }
    }

    @Test
    void whoIsSilentBetweenRequestsIsNot() throws Exception {
        try (Socket patient = connect();
                Socket cutOff = connect()) {
            ask(patient);
            cutOff.getOutputStream().write(REQUEST, 0, 1);
            assertThat(cutOff.getInputStream().read())
                    .as("the deadline has passed")
                    .isEqualTo(-1);

            assertThat(ask(patient)).contains("200 OK");
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.activeLocalPort());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static boolean isClosedAfterOneMoreByte(Socket socket) {
        try {
            socket.getOutputStream().write('G');
            return socket.getInputStream().available() == 0 && isAtEnd(socket);
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isAtEnd(Socket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        }
    }

    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream().write(REQUEST);
        InputStream in = socket.getInputStream();
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("hello")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after '" + answer + "'");
            }
            answer.append((char) next);
        }
        return answer.toString();
    }
}
