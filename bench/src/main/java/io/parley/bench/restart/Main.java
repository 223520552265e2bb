package io.parley.bench.restart;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import io.parley.bench.proxy.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Case 7: client, proxy, mutual TLS, proxy, server. Each proxy is a process; ten times another one takes its port over and it is asked to end by
 * SIGTERM, while wrk and h2load ask. No request may fail.
 */
final class Main {
    private static final int RESTARTS = 10;
    private static final long ENOUGH = 100_000;

    private final List<Process> all = new CopyOnWriteArrayList<>();

    private Main() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Server origin = Server.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service("/", (_, _) -> HttpResponse.of("hello"))
                .build();
        origin.start().join();
        Main restarts = new Main();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> restarts.all.forEach(Process::destroyForcibly)));
        System.exit(restarts.run(origin.activeLocalPort()) ? 0 : 1);
    }

    private boolean run(int origin) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("restart");
        Certificates tls = new Certificates(folder);
        int middle = freePort();
        int front = freePort();
        Path inbound = Files.writeString(folder.resolve("inbound.yaml"), inbound(tls, middle, origin));
        Path outbound = Files.writeString(folder.resolve("outbound.yaml"), outbound(tls, front, middle, origin));
        Process server = start(inbound);
        Process client = start(outbound);
        AtomicBoolean over = new AtomicBoolean();
        String url = "http://127.0.0.1:" + front + "/";
        List<Load> loads = List.of(Load.wrk(url), Load.h2load(url));
        List<Thread> asking = loads.stream().map(load -> load.until(over::get)).toList();
        for (int i = 1; i <= RESTARTS; i++) {
            server = replaced(server, inbound);
            client = replaced(client, outbound);
            System.out.printf("%d of %d%n", i, RESTARTS);
        }
        while (loads.stream().mapToLong(Load::requests).sum() < ENOUGH) {
            TimeUnit.SECONDS.sleep(1);
        }
        over.set(true);
        for (Thread thread : asking) {
            thread.join();
        }
        long failures = loads.stream().mapToLong(Load::failures).sum();
        System.out.printf(
                "%d requests by wrk, %d by h2load, %d failed%n",
                loads.getFirst().requests(), loads.getLast().requests(), failures);
        return failures == 0 && ended();
    }

    private static String inbound(Certificates tls, int port, int origin) {
        return tls.identity("server") + """
            accessLog: none
            inbound:
              address: 127.0.0.1:%d
              destinations: listener
              ports: [{port: %d}]
            """.formatted(port, origin);
    }

    private static String outbound(Certificates tls, int port, int proxy, int origin) {
        return tls.identity("client") + """
            accessLog: none
            outbound:
              address: 127.0.0.1:0
              destinations: listener
              services:
                - {name: origin, port: 1, listen: "127.0.0.1:%d", endpoints: [{address: "127.0.0.1:%d", proxy: "127.0.0.1:%d", identity: %s}]}
            """.formatted(port, origin, proxy, tls.name("server"));
    }

    /** All but the last of each have had the time that they may take to drain. */
    private boolean ended() throws InterruptedException {
        boolean ended = true;
        for (Process old : all.subList(0, all.size() - 2)) {
            ended &= old.waitFor(40, TimeUnit.SECONDS);
        }
        System.out.println(ended ? "all that were asked to end have ended" : "some have not ended");
        return ended;
    }

    private Process replaced(Process old, Path file) throws IOException {
        Process fresh = start(file);
        old.destroy(); // SIGTERM
        return fresh;
    }

    /** Starts one, and returns when it listens. */
    private Process start(Path file) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        all.add(process);
        String said = process.inputReader().readLine();
        if (!Program.READY.equals(said)) {
            throw new IllegalStateException("a proxy did not start: " + said);
        }
        return process;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
