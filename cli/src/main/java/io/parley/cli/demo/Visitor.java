package io.parley.cli.demo;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Calls each application through its own proxy, as a program without a mesh would: in clear, at a port of this machine. */
final class Visitor implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 5;

    private final HttpClient http = HttpClient.newHttpClient();
    private final int firstPort;

    /** At {@code firstPort} and the four after it: web, greeter, chat, mail, and the gateway. */
    Visitor(int firstPort) {
        this.firstPort = firstPort;
    }

    /** One call to each; throws at the first that fails. */
    void visitAll() throws Exception {
        web(firstPort);
        greeter(firstPort + 1, "greeter");
        chat(firstPort + 2);
        mail(firstPort + 3);
        web(firstPort + 4);
        greeter(firstPort + 4, "greeter.demo");
    }

    private static void web(int port) throws IOException {
        var call = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/").toURL().openConnection();
        call.setRequestProperty("Connection", "close");
        call.setReadTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        expect("web", "200", Integer.toString(call.getResponseCode()));
    }

    private static void greeter(int port, String host) throws InterruptedException {
        ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
                .overrideAuthority(host)
                .build();
        try {
            var answer = HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .check(HealthCheckRequest.getDefaultInstance());
            expect("greeter", "SERVING", answer.getStatus().name());
        } finally {
            channel.shutdownNow().awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void chat(int port) throws Exception {
        var heard = new CompletableFuture<String>();
        WebSocket socket = http.newWebSocketBuilder()
                .header("Origin", "http://visitor.demo")
                .buildAsync(URI.create("ws://127.0.0.1:" + port + "/chat"), new FirstText(heard))
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        socket.sendText("hello", true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        expect("chat", "hello", heard.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void mail(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            expect("mail", Applications.GREETING, String.valueOf(in.readLine()));
        }
    }

    private static void expect(String service, String expected, String answer) {
        if (!expected.equals(answer)) {
            throw new IllegalStateException(service + " answered " + answer + " (expected: " + expected + ")");
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private record FirstText(CompletableFuture<String> heard) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            heard.complete(data.toString());
            return CompletableFuture.completedStage(null);
        }
    }
}
