package io.parley.cli.policy;

import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.cli.policy.Shop.Policy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each of the times of a MeshTimeout ends. */
class TimeoutTrafficTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Longer than any time that is set here, shorter than all that hold if none is set. */
    private static final Duration LATEST = Duration.ofSeconds(4);

    /** Longer than three tries of 200 ms, shorter than three of the second that a proxy waits if nothing says how long. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private static final String TO_ORDERS = """
        targetRef: {kind: MeshService, name: web}
        to: [{targetRef: {kind: MeshService, name: orders}, default: %s}]
        """;

    private static final String AT_ORDERS = """
        targetRef: {kind: MeshService, name: orders}
        from: [{targetRef: {kind: Mesh}, default: %s}]
        """;

    @SuppressWarnings("NullAway.Init")
    private static Shop shop;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException {
        shop = new Shop(folder);
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {TO_ORDERS, AT_ORDERS})
    void aRequestEndsWhenItsTimeIsOverWhicheverSideCounts(String policy) {
        try (Policy _ = shop.apply("MeshTimeout", policy.formatted("{http: {requestTimeout: 200ms}}"))) {
            shop.awaitStatus("/slow", 504);
        }
        shop.awaitStatus("/slow", 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {TO_ORDERS, AT_ORDERS})
    void aRequestEndsThatIsIdleForTooLongWhicheverSideCounts(String policy) {
        try (Policy _ = shop.apply("MeshTimeout", policy.formatted("{http: {streamIdleTimeout: 200ms}}"))) {
            await().atMost(PATIENCE).until(() -> shop.status("/slow") >= 400);
        }
        shop.awaitStatus("/slow", 200);
    }

    @Test
    void aClientThatDoesNotFinishTheHeadOfItsRequestIsNotWaitedFor() {
        try (Policy _ = shop.apply("MeshTimeout", TO_ORDERS.formatted("{http: {requestHeadersTimeout: 500ms}}"))) {
            await().atMost(PATIENCE).until(() -> closesAfter(shop.ordersPort(), "GET / HTTP/1.1\r\nhost: a\r\n"));
        }
    }

    @Test
    void aConnectionWithoutRequestsIsClosed() {
        try (Policy _ = shop.apply("MeshTimeout", TO_ORDERS.formatted("{idleTimeout: 1s}"))) {
            await().atMost(PATIENCE).until(() -> closesAfter(shop.ordersPort(), "GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
        }
    }

    @Test
    void aConnectionWithoutBytesIsClosedByTheProxyThatReceivesIt() {
        try (Policy _ = shop.apply("MeshTimeout", """
            targetRef: {kind: MeshService, name: ledger}
            from: [{targetRef: {kind: Mesh}, default: {idleTimeout: 1s}}]
            """)) {
            await().atMost(PATIENCE).until(() -> closesAfter(shop.ledgerPort(), "hello"));
        }
    }

    /** The kernel drops what asks to be let in where the queue is full. */
    @Test
    void aServerThatNeitherAcceptsNorRefusesIsGivenUp() throws IOException {
        List<SocketChannel> queue = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 4; i++) {
                SocketChannel waiting = SocketChannel.open();
                queue.add(waiting);
                waiting.configureBlocking(false);
                waiting.connect(silent.getLocalSocketAddress());
            }
            shop.declare("silent-1", """
                address: 127.0.0.1
                inbound: [{port: %d, tags: {kuma.io/service: silent, kuma.io/protocol: http}}]
                """.formatted(silent.getLocalPort()));
            try (Policy _ = shop.apply("MeshTimeout", """
                targetRef: {kind: Mesh}
                to: [{targetRef: {kind: MeshService, name: silent}, default: {connectionTimeout: 200ms}}]
                """)) {
                // Without the policy each would take longer; on a busy machine one may anyway. Each is a proxy's first.
                AtomicInteger callers = new AtomicInteger();
                await().atMost(PATIENCE).until(() -> isRefusedSoon(callerOfSilent(callers.incrementAndGet())));
            }
        } finally {
            for (SocketChannel waiting : queue) {
                waiting.close();
            }
        }
    }

    /** The port at which another proxy, which has not found out anything yet, takes calls for silent. */
    private static int callerOfSilent(int number) throws IOException {
        int port = FreePorts.next();
        shop.join("web-silent-" + number, """
            address: 127.0.0.1
            inbound: [{port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: web}}]
            outbound: [{port: %d, tags: {kuma.io/service: silent}}]
            """.formatted(FreePorts.next(), FreePorts.next(), port));
        return port;
    }

    private static boolean isRefusedSoon(int port) throws IOException {
        long begun = System.nanoTime();
        int status = shop.send("127.0.0.1:" + port, "/").statusCode();
        return status == 503 && Duration.ofNanos(System.nanoTime() - begun).compareTo(SOON) < 0;
    }

    /** Whether whoever sends this, and then nothing, is left before long. */
    private static boolean closesAfter(int port, String sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) LATEST.toMillis());
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }
}
