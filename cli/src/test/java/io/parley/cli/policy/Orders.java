package io.parley.cli.policy;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import io.parley.link.server.AcceptLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** An application that does as it is told: over HTTP, and as an echo over TCP. */
final class Orders implements AutoCloseable {
    private static final Duration SLOW = Duration.ofMillis(1500);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final int LARGE = 64 * 1024;

    /** How many calls of {@code /flaky} fail before one succeeds. */
    final AtomicInteger failures = new AtomicInteger();

    /** Whether {@code /} and {@code /pause} fail. */
    volatile boolean broken;

    /** Whether {@code /health} fails. */
    volatile boolean unwell;

    final Queue<AggregatedHttpRequest> received = new ConcurrentLinkedQueue<>();
    private final String name;
    private final Server http;
    private final ServerSocket echo;

    private Orders(String name) throws IOException {
        this.name = name;
        http = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .bossGroupFactory(AcceptLoops::named)
                .meterRegistry(NoopMeterRegistry.get())
                .service("/health", (_, _) -> HttpResponse.of(unwell ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.OK))
                .service("/slow", (_, _) -> HttpResponse.delayed(HttpResponse.of("late"), SLOW))
                .service("/large", (_, _) -> HttpResponse.of("x".repeat(LARGE)))
                .service(
                        "/flaky",
                        (_, _) -> failures.getAndDecrement() > 0
                                ? HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE)
                                : HttpResponse.of("at last"))
                .service(
                        "/pause",
                        (_, _) -> HttpResponse.delayed(
                                () -> broken
                                        ? HttpResponse.of(HttpStatus.INTERNAL_SERVER_ERROR)
                                        : HttpResponse.of(name),
                                PAUSE))
                .serviceUnder(
                        "/",
                        (_, request) -> HttpResponse.of(request.aggregate().thenApply(whole -> {
                            received.add(whole);
                            return broken ? HttpResponse.of(HttpStatus.INTERNAL_SERVER_ERROR) : HttpResponse.of(name);
                        })))
                .build();
        http.start().join();
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::echo);
    }

    static Orders start(String name) {
        try {
            return new Orders(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    int httpPort() {
        return http.activeLocalPort();
    }

    int echoPort() {
        return echo.getLocalPort();
    }

    private void echo() {
        while (!echo.isClosed()) {
            try {
                Socket client = echo.accept();
                Thread.ofVirtual().start(() -> {
                    try (client) {
                        client.getInputStream().transferTo(client.getOutputStream());
                    } catch (IOException e) {
                        // The client is gone, and this connection with it.
                    }
                });
            } catch (IOException e) {
                return;
            }
        }
    }

    @Override
    public void close() {
        try {
            echo.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.stop().join();
    }
}
