package io.parley.control.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.api.ApiFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Frames that cost their sender nothing, from somebody who has shown no token. They are sent in one record of TLS, so that nothing is on its
 * way any more when the connection ends.
 */
@SuppressWarnings("NullAway.Init")
class FloodTest {
    private static final int OPEN_STREAM = 1;
    private static final Map<String, String> REQUEST =
            new TreeMap<>(Map.of(":method", "GET", ":scheme", "https", ":path", "/", ":authority", "a"));

    @TempDir
    private Path folder;

    private ApiFixture controlPlane;
    private RawHttp2 client;

    @BeforeEach
    void start() throws Exception {
        controlPlane = new ApiFixture(folder);
        client = new RawHttp2(controlPlane.machinePort(), folder.resolve("ca.pem"));
        client.open(OPEN_STREAM, REQUEST);
        RawHttp2.Frame answer = client.read();
        while (answer.type() != RawHttp2.HEADERS) {
            answer = client.read();
        }
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        controlPlane.close();
    }

    @Test
    void pingsEndTheConnection() throws Exception {
        flood(210, RawHttp2.PING, 0, new byte[8]);
    }

    @Test
    void settingsEndTheConnection() throws Exception {
        flood(110, RawHttp2.SETTINGS, 0, new byte[0]);
    }

    @Test
    void prioritiesEndTheConnection() throws Exception {
        flood(110, RawHttp2.PRIORITY, 3, new byte[] {0, 0, 0, 0, 16});
    }

    @Test
    void unknownFramesEndTheConnection() throws Exception {
        flood(1_010, 0x42, 0, new byte[0]);
    }

    /** RFC 9113 6.9: a window that grows by nothing is an error of its stream, for which the server resets it. */
    @Test
    void mistakesForWhichStreamsAreResetEndTheConnection() throws Exception {
        for (int stream = OPEN_STREAM + 2; stream < 2 * 210; stream += 2) {
            client.writeHead(stream, REQUEST);
            client.write(RawHttp2.WINDOW_UPDATE, 0, stream, new byte[4]);
        }
        endsForIt();
    }

    @Test
    void soDoTheSameMistakesOnOneStream() throws Exception {
        flood(210, RawHttp2.WINDOW_UPDATE, OPEN_STREAM, new byte[4]);
    }

    private void flood(int times, int type, int stream, byte[] payload) throws IOException {
        for (int i = 0; i < times; i++) {
            client.write(type, 0, stream, payload);
        }
        endsForIt();
    }

    private void endsForIt() throws IOException {
        client.flush();
        RawHttp2.Frame next = client.read();
        while (next.type() != RawHttp2.GOAWAY) {
            next = client.read();
        }
        assertThat(next.error()).isEqualTo(RawHttp2.ENHANCE_YOUR_CALM);
    }
}
