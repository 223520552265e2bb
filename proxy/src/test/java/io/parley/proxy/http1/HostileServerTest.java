package io.parley.proxy.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Servers that answer what is no answer (attack 15): the client gets a 502 or a connection that is cut, never the rest as an answer. */
class HostileServerTest {
    private static final long SEED = 20261117;
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String HEAD = "HTTP/1.1 200 OK\r\n";

    private static final List<String> NO_ANSWERS = List.of(
            "SSH-2.0-OpenSSH_9\r\n\r\n",
            "\r\n\r\n",
            "HTTP/1.1\r\n\r\n",
            "HTTP/1.1 \r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 abc OK\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n",
            "HTTP/1.1  200 OK\r\n\r\n",
            "HTTP/1.2 200 OK\r\n\r\n",
            "HTTP/2 200 OK\r\n\r\n",
            "http/1.1 200 OK\r\n\r\n",
            "HTTP/1.1\t200 OK\r\n\r\n",
            "HTTP/1.1 200 O\u0000K\r\n\r\n",
            "HTTP/1.1 200 OK\n\n",
            "HTTP/1.1 200 OK\r\r\n\r\n",
            HEAD + "a b: c\r\n\r\n",
            HEAD + "a : b\r\n\r\n",
            HEAD + ": b\r\n\r\n",
            HEAD + "a\r\n\r\n",
            HEAD + " a: b\r\n\r\n",
            HEAD + "a: b\r\n c\r\n\r\n",
            HEAD + "a: b\u0000\r\n\r\n",
            HEAD + "a: b\rc\r\n\r\n",
            HEAD + "a: b\nc: d\r\n\r\n",
            HEAD + "a\u0080: b\r\n\r\n",
            HEAD + "content-length: 2\r\ncontent-length: 3\r\n\r\nok",
            HEAD + "content-length: 2, 3\r\n\r\nok",
            HEAD + "content-length: -2\r\n\r\nok",
            HEAD + "content-length: +2\r\n\r\nok",
            HEAD + "content-length: 0x2\r\n\r\nok",
            HEAD + "content-length: 2 2\r\n\r\nok",
            HEAD + "content-length:\r\n\r\nok",
            HEAD + "content-length: 99999999999999999999\r\n\r\nok",
            HEAD + "content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            HEAD + "transfer-encoding: gzip\r\n\r\nok",
            HEAD + "transfer-encoding: chunked, identity\r\n\r\nok",
            HEAD + "transfer-encoding: xchunked\r\n\r\nok",
            "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
            HEAD + "a: " + "b".repeat(70_000) + "\r\n\r\n",
            HEAD + "a: b\r\n".repeat(200) + "\r\n",
            "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100) + HEAD + "content-length: 0\r\n\r\n");

    /** Answers that begin well. */
    private static final List<String> CUT_OFF = List.of(
            HEAD + "transfer-encoding: chunked\r\n\r\nx\r\n",
            HEAD + "transfer-encoding: chunked\r\n\r\n-1\r\n",
            HEAD + "transfer-encoding: chunked\r\n\r\n2\r\nokay\r\n",
            HEAD + "transfer-encoding: chunked\r\n\r\n2\nok",
            HEAD + "transfer-encoding: chunked\r\n\r\nfffffffff\r\n",
            HEAD + "transfer-encoding: chunked\r\n\r\n0\r\na b: c\r\n\r\n",
            HEAD + "transfer-encoding: chunked\r\n\r\n0\r\ncontent-length: 1\r\n\r\n");

    private final AtomicReference<String> answer = new AtomicReference<>("");

    /** What a server does after its answer. */
    private enum Patience {
        /** It waits to be asked again. */
        MORE,

        /** It ends the connection. */
        NONE
    }

    /** One that answers so. */
    private Server server(Patience patience) throws IOException {
        return Server.that(socket -> {
            byte[] request = new byte[1_024];
            while (socket.getInputStream().read(request) > 0) {
                socket.getOutputStream().write(answer.get().getBytes(ISO_8859_1));
                socket.getOutputStream().flush();
                if (patience == Patience.NONE) {
                    return;
                }
            }
        });
    }

    /** Everything until the connection ends, be it by a reset. */
    private static String ask(HttpProxy proxy) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Client client =
                Client.to(proxy.address()).send(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))) {
            for (String next = client.read(1); !next.isEmpty(); next = client.read(1)) {
                all.append(next);
            }
        } catch (SocketException _) {
            // It was cut off.
        }
        return all.toString();
    }

    @Test
    void a15_whatIsNoAnswerIsA502AndItsConnectionIsNotUsedAgain() throws IOException {
        try (Server server = server(Patience.MORE);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String bad : NO_ANSWERS) {
                int before = server.accepted();
                answer.set(bad);
                assertThat(ask(proxy)).as(bad).containsPattern("^(HTTP/1.1 103 Early Hints\r\n\r\n)*HTTP/1.1 502 ");
                answer.set(HEAD + "content-length: 2\r\n\r\nok");
                assertThat(ask(proxy)).as(bad).startsWith(HEAD).endsWith("ok");
                assertThat(server.accepted()).as(bad).isEqualTo(before + 2);
                // Where the good one came from is used no more either, so that the next bad one is asked for anew.
                answer.set(HEAD + "connection: close\r\ncontent-length: 0\r\n\r\n");
                ask(proxy);
            }
        }
    }

    @Test
    void a15_anAnswerThatGoesWrongIsCutOff() throws IOException {
        try (Server server = server(Patience.MORE);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String bad : CUT_OFF) {
                answer.set(bad);
                assertThat(ask(proxy)).as(bad).doesNotEndWith("0\r\n\r\n");
            }
            assertThat(proxy.errors("cut-off") + proxy.errors("bad-answer")).isEqualTo(CUT_OFF.size());
        }
    }

    /** What comes after an answer is no answer to the next request. */
    @Test
    void a15_aSecondAnswerGoesNowhere() throws IOException {
        try (Server server = server(Patience.MORE);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            answer.set(HEAD + "content-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged");
            for (int i = 0; i < 5; i++) {
                assertThat(ask(proxy)).endsWith("ok").doesNotContain("forged");
            }
            assertThat(server.accepted()).isEqualTo(5);
        }
    }

    /** Good answers with bytes changed, left out and added: whatever comes of it, there is one answer and the proxy lives. */
    @Test
    void a15_answersThatWereDamaged() throws IOException {
        Random random = new Random(SEED);
        List<String> good = List.of(
                HEAD + "content-length: 2\r\nx-a: b\r\n\r\nok",
                HEAD + "transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx-sum: 1\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\netag: a\r\n\r\n");
        List<String> said = new ArrayList<>();
        try (Server server = server(Patience.NONE);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (int i = 0; i < 150; i++) {
                StringBuilder bytes = new StringBuilder(good.get(i % good.size()));
                for (int j = random.nextInt(3); j >= 0; j--) {
                    int at = random.nextInt(bytes.length());
                    switch (random.nextInt(3)) {
                        case 0 -> bytes.setCharAt(at, (char) random.nextInt(256));
                        case 1 -> bytes.deleteCharAt(at);
                        default -> bytes.insert(at, (char) random.nextInt(256));
                    }
                }
                answer.set(bytes.toString());
                said.add(ask(proxy));
            }
            answer.set(HEAD + "content-length: 2\r\n\r\nok");
            assertThat(ask(proxy)).endsWith("ok");
        }
        assertThat(said)
                .as("seed %d", SEED)
                .allMatch(text -> text.isEmpty() || text.startsWith("HTTP/1.1 "))
                .allMatch(text -> text.split("HTTP/1.1 [2-5]", -1).length <= 2);
    }

    /** What ends with its connection ends whole, or the client must notice. */
    @Test
    void aResetIsNotTheEndOfAnAnswer() throws IOException {
        CountDownLatch seen = new CountDownLatch(1);
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    socket.getOutputStream().write((HEAD + "\r\nhalf of it").getBytes(ISO_8859_1));
                    awaitSeen(seen);
                    socket.setSoLinger(true, 0);
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                Client client = Client.to(proxy.address()).send(GET)) {
            String begin = HEAD + "transfer-encoding: chunked\r\n\r\na\r\nhalf of it\r\n";
            assertThat(client.read(begin.length())).isEqualTo(begin);
            seen.countDown();
            assertThatThrownBy(client::readAll).isInstanceOf(SocketException.class);
            assertThat(proxy.errors("cut-off")).isEqualTo(1);
        }
    }

    private static void awaitSeen(CountDownLatch seen) throws IOException {
        try {
            seen.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** RFC 6455 section 4.1: with less than all of it nobody has agreed to anything, and what follows is no answer. */
    @Test
    void aSwitchToAWebSocketMustSaySoInEveryField() throws IOException {
        String handshake = String.join(
                "",
                "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
        String accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";
        try (Server server = server(Patience.MORE);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String fields : List.of(
                    accept,
                    accept + "Upgrade: websocket\r\n",
                    accept + "Connection: Upgrade\r\n",
                    accept + "Connection: Upgrade\r\nUpgrade: other\r\n")) {
                answer.set("HTTP/1.1 101 Switching\r\n" + fields + "\r\n" + HEAD + "content-length: 6\r\n\r\nforged");
                try (Client client = Client.to(proxy.address()).send(handshake)) {
                    assertThat(client.read(12)).as(fields).isEqualTo("HTTP/1.1 502");
                }
            }
        }
    }

    @Test
    void anAnswerThatHasNoContentDoesNotSayHowItIsFramed() throws IOException {
        try (Server server = server(Patience.MORE);
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1)) {
            for (String framing : List.of("content-length: 5\r\n", "transfer-encoding: chunked\r\n")) {
                answer.set("HTTP/1.1 103 Early Hints\r\nx-a: b\r\n" + framing
                        + "\r\nHTTP/1.1 204 No Content\r\nx-c: d\r\n" + framing + "\r\n");
                assertThat(ask(proxy))
                        .as(framing)
                        .contains("HTTP/1.1 103", "x-a: b", "HTTP/1.1 204", "x-c: d")
                        .doesNotContain(framing);
            }
        }
    }
}
