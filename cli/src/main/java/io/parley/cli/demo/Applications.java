package io.parley.cli.demo;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.websocket.WebSocketService;
import io.grpc.InsecureServerCredentials;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.parley.link.server.AcceptLoops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Four small applications that know nothing of a mesh: HTTP/1, WebSocket, gRPC, and one whose server speaks first. */
final class Applications implements AutoCloseable {
    static final String GREETING = "220 mail.demo is ready";

    private final Server web;
    private final io.grpc.Server greeter;
    private final ServerSocket mail;

    private Applications(Server web, io.grpc.Server greeter, ServerSocket mail) {
        this.web = web;
        this.greeter = greeter;
        this.mail = mail;
    }

    static Applications start() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Server web = Server.builder()
                .http(anyPort)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .bossGroupFactory(AcceptLoops::named)
                .meterRegistry(NoopMeterRegistry.get())
                .service(
                        "/",
                        (_, _) -> HttpResponse.of("It is "
                                + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + ".\n"))
                .service(
                        "/chat",
                        WebSocketService.builder((_, in) -> in)
                                .allowedOrigins("*")
                                .build())
                .build();
        web.start().join();
        io.grpc.Server greeter = NettyServerBuilder.forAddress(anyPort, InsecureServerCredentials.create())
                .addService(new HealthStatusManager().getHealthService())
                .build()
                .start();
        ServerSocket mail = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("mail").start(() -> greet(mail));
        return new Applications(web, greeter, mail);
    }

    /** Of the HTTP/1 application, which takes WebSockets at {@code /chat}. */
    int webPort() {
        return web.activeLocalPort();
    }

    int greeterPort() {
        return greeter.getPort();
    }

    int mailPort() {
        return mail.getLocalPort();
    }

    /** As a mail server does: the client must wait for the greeting before it may say anything. */
    private static void greet(ServerSocket mail) {
        while (!mail.isClosed()) {
            try {
                Socket client = mail.accept();
                Thread.ofVirtual().name("mail client").start(() -> greet(client));
            } catch (SocketException e) {
                // Closed by us at the end.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void greet(Socket client) {
        try (client) {
            client.getOutputStream().write((GREETING + "\r\n").getBytes(StandardCharsets.US_ASCII));
            client.getInputStream().readNBytes(1);
        } catch (IOException e) {
            // The client is gone, and this connection with it.
        }
    }

    private void closeMail() {
        try {
            mail.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closeMail();
        greeter.shutdownNow();
        web.stop().join();
    }
}
