package io.parley.cli.demo;

import io.parley.control.app.HostPort;
import io.parley.proxy.app.ProxyProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The mesh of {@code parley demo}: four applications and a visitor, each with its proxy, a gateway,
 * and a control plane for them. */
public final class Demo implements AutoCloseable {
    private static final List<String> PROXIES = List.of("web", "greeter", "chat", "mail", "visitor");
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);
    private static final int SUMMARY_EVERY = 30;

    /** Four services and the gateway. */
    public static final int PORTS = 5;

    private final Settings settings;
    private final PrintWriter out;
    private final Hops hops;
    private final Applications applications;
    private final LocalMesh mesh;
    private final Visitor visitor;
    private final Map<String, ProxyProgram> programs = new LinkedHashMap<>();
    private volatile boolean closed;

    /**
     * Where it all is.
     *
     * @param firstPort where the visitor's proxy offers the first service; the others and the gateway follow
     */
    public record Settings(Path folder, HostPort api, HostPort listen, int firstPort) {}

    private Demo(Settings settings, PrintWriter out, Applications applications, LocalMesh mesh) {
        this.settings = settings;
        this.out = out;
        this.hops = new Hops(out);
        this.applications = applications;
        this.mesh = mesh;
        this.visitor = new Visitor(settings.firstPort());
    }

    /** Returns when every proxy is ready. */
    public static Demo start(Settings settings, PrintWriter out) throws IOException, InterruptedException {
        requireFree(settings.firstPort());
        Applications applications = Applications.start();
        LocalMesh mesh;
        try {
            mesh = LocalMesh.start(settings.folder(), settings.api(), settings.listen());
        } catch (IOException | RuntimeException e) {
            applications.close();
            throw e;
        }
        Demo demo = new Demo(settings, out, applications, mesh);
        try {
            demo.join();
        } catch (IOException | RuntimeException e) {
            demo.close();
            throw e;
        }
        return demo;
    }

    /** A proxy would wait for its ports, and so would the demo. */
    private static void requireFree(int firstPort) {
        for (int port = firstPort; port < firstPort + PORTS; port++) {
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                // It is: that is all.
            } catch (IOException e) {
                throw new IllegalStateException(
                        "cannot listen on 127.0.0.1:" + port + ": " + e.getMessage() + " (choose " + PORTS
                                + " other ports with --first-port PORT)",
                        e);
            }
        }
    }

    private void join() throws IOException, InterruptedException {
        mesh.apply(DemoManifests.of(applications, settings.firstPort()));
        for (String proxy : PROXIES) {
            programs.put(proxy, mesh.join(proxy, session -> hops.seen(proxy, session)));
        }
        programs.put("gateway", mesh.joinGateway("demo", "edge", session -> hops.seen("gateway", session)));
        long end = System.nanoTime() + READY_WITHIN.toNanos();
        for (ProxyProgram program : programs.values()) {
            while (!program.proxy().isReady()) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(
                            "not all proxies were ready within " + READY_WITHIN.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }

    /** Visits all applications once a second and shows what is agreed, until it is closed. */
    public void run() throws InterruptedException {
        Thread shows = Thread.ofVirtual().name("hops").start(() -> {
            try {
                hops.show();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            int failed = 0;
            for (int round = 1; !closed; round++) {
                failed += visit() ? 0 : 1;
                if (round % SUMMARY_EVERY == 0) {
                    out.println("  " + round + " rounds of visits, " + failed + " with a failure");
                    out.flush();
                }
                TimeUnit.SECONDS.sleep(1);
            }
        } finally {
            shows.interrupt();
        }
    }

    private boolean visit() throws InterruptedException {
        try {
            visitor.visitAll();
            lookAtOpenConnections();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (!closed) {
                out.println("  a visit failed: " + (e.getMessage() == null ? e : e.getMessage()));
                out.flush();
            }
            return false;
        }
    }

    /** Proxies keep connections to one another: what was agreed on those is of interest before they end. */
    private void lookAtOpenConnections() {
        programs.forEach((name, program) ->
                program.proxy().machinery().sessions().list().forEach(session -> hops.seen(name, session)));
    }

    @Override
    public void close() {
        closed = true;
        visitor.close();
        mesh.close();
        applications.close();
    }
}
