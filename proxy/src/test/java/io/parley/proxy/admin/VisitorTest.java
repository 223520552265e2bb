package io.parley.proxy.admin;

import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.NetUtil;
import io.parley.proxy.app.TestMesh;
import io.parley.proxy.listen.Proxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each kind of visitor of the admin page may see and do. */
class VisitorTest {
    private static final InetSocketAddress HERE = from("127.0.0.1");
    private static final InetSocketAddress HERE_TOO = from("::1");
    private static final InetSocketAddress ELSEWHERE = from("192.0.2.1");
    private static final List<String> SHOWN =
            List.of("/metrics", "/time", "/time.json", "/connections", "/config_dump");

    @TempDir
    Path folder;

    private final TestMesh mesh = new TestMesh();
    private final AtomicInteger drained = new AtomicInteger();
    private Path token;
    private AdminPages pages;

    @BeforeEach
    void start() throws IOException {
        token = Files.writeString(folder.resolve("token"), "open-sesame\n");
        Proxy proxy = mesh.start(TestMesh.SERVER, TestMesh.config(List.of()));
        pages = new AdminPages(proxy, () -> TestMesh.TOLD, drained::incrementAndGet);
    }

    @AfterEach
    void close() {
        mesh.close();
    }

    @Test
    void strangersLearnOnlyThatItIsThere() {
        assertThat(ask(ELSEWHERE, null, GET, "/live")).isEqualTo(200);
        assertThat(ask(ELSEWHERE, null, GET, "/ready")).isEqualTo(503);
        assertThat(SHOWN).allMatch(path -> ask(ELSEWHERE, null, GET, path) == 403);
        assertThat(ask(ELSEWHERE, null, POST, "/drain")).isEqualTo(403);
        assertThat(ask(ELSEWHERE, null, GET, "/nothing")).isEqualTo(403);
        assertThat(drained).hasValue(0);
    }

    @Test
    void whoIsHereMayLookAndNotDrain() {
        assertThat(SHOWN).allMatch(path -> ask(HERE, null, GET, path) == 200);
        assertThat(SHOWN).allMatch(path -> ask(HERE_TOO, null, GET, path) == 200);
        assertThat(ask(HERE, null, POST, "/drain")).isEqualTo(403);
        assertThat(drained).hasValue(0);
    }

    @Test
    void whoHasTheTokenMayDoAllFromAnywhere() {
        assertThat(SHOWN).allMatch(path -> ask(ELSEWHERE, "Bearer open-sesame", GET, path) == 200);
        assertThat(ask(ELSEWHERE, "Bearer open-sesame", POST, "/drain")).isEqualTo(202);
        assertThat(drained).hasValue(1);
    }

    @Test
    void whoGuessesIsAStranger() {
        for (String guess :
                List.of("", "Bearer", "Bearer ", "Bearer open-sesam", "Bearer open-sesame2", "open-sesame")) {
            assertThat(ask(ELSEWHERE, guess, GET, "/metrics")).as(guess).isEqualTo(403);
        }
    }

    @Test
    void anEmptyOrMissingFileLetsNobodyIn() throws IOException {
        Files.writeString(token, "\n");
        assertThat(ask(ELSEWHERE, "Bearer ", GET, "/metrics")).isEqualTo(403);
        Files.delete(token);
        assertThat(ask(ELSEWHERE, "Bearer open-sesame", GET, "/metrics")).isEqualTo(403);
    }

    @Test
    void aTokenThatIsReplacedHoldsAtOnce() throws IOException {
        Files.writeString(token, "another");
        assertThat(ask(ELSEWHERE, "Bearer open-sesame", GET, "/metrics")).isEqualTo(403);
        assertThat(ask(ELSEWHERE, "Bearer another", GET, "/metrics")).isEqualTo(200);
    }

    private static InetSocketAddress from(String address) {
        return new InetSocketAddress(NetUtil.createInetAddressFromIpAddressString(address), 1_234);
    }

    private int ask(InetSocketAddress from, @Nullable String authorization, HttpMethod method, String path) {
        return pages.answer(Visitor.of(from, authorization, token), method, path)
                .status()
                .code();
    }
}
