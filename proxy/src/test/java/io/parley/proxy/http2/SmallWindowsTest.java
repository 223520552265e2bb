package io.parley.proxy.http2;

import static io.netty.handler.codec.http2.Http2FrameTypes.DATA;
import static io.parley.proxy.http2.FramePeer.LAST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream.Version;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Much content for a peer with windows of 64 KiB, which most have: it must tell of them often. */
class SmallWindowsTest {
    private static final int LENGTH = 32 << 20;

    /** As programs do that read so much at a time. */
    private static final int READ = 4 << 10;

    private static void write(Socket socket, String head) throws IOException {
        socket.getOutputStream().write(head.getBytes(ISO_8859_1));
        byte[] piece = new byte[1 << 16];
        for (int sent = 0; sent < LENGTH; sent += piece.length) {
            socket.getOutputStream().write(piece);
        }
    }

    /** Takes all of the content that comes on a stream, and makes room again bit by bit. */
    private static void take(FramePeer peer, int stream) throws IOException {
        int taken = 0;
        while (taken < LENGTH) {
            int left = peer.await(DATA).length();
            taken += left;
            for (; left > 0; left -= READ) {
                peer.window(0, Math.min(left, READ));
                if (taken < LENGTH) {
                    peer.window(stream, Math.min(left, READ));
                }
            }
        }
    }

    @Test
    void aLargeDownloadIsNoFlood() throws IOException {
        try (Server server = Server.that(socket -> {
                    socket.getInputStream().read(new byte[1_024]);
                    write(socket, "HTTP/1.1 200 OK\r\ncontent-length: " + LENGTH + "\r\n\r\n");
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP1);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.get(1, "/");
            take(client, 1);
            assertThat(proxy.abuses("window-update-flood")).isZero();
        }
    }

    @Test
    void aLargeUploadIsNoFlood() throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    take(peer, stream);
                    peer.headers(stream, LAST, ":status", "204");
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                Client client = Client.to(proxy.address())) {
            write(client.socket(), "POST / HTTP/1.1\r\nHost: x\r\ncontent-length: " + LENGTH + "\r\n\r\n");
            assertThat(client.read(12)).isEqualTo("HTTP/1.1 204");
            assertThat(proxy.errors("server-window-update-flood")).isZero();
        }
    }
}
