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

/** The mesh of {@code parley demo}: four applications and a visitor, each with its proxy, and a control plane for them. */
public final class Demo implements AutoCloseable {
    private static final List<String> PROXIES = List.of("web", "greeter", "chat", "mail", "visitor");
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);
    private static final int SUMMARY_EVERY = 30;

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
     * @param firstPort where the visitor's proxy offers the first service; the others follow
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

    private void join() throws IOException, InterruptedException {
        mesh.apply(manifests());
        for (String proxy : PROXIES) {
            programs.put(proxy, mesh.join(proxy, session -> hops.seen(proxy, session)));
        }
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
                out.println("  a visit failed: " + e);
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

    private String manifests() throws IOException {
        int first = settings.firstPort();
        StringBuilder text = new StringBuilder("""
            type: Mesh
            name: default
            mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
            ---
            type: MeshTrafficPermission
            mesh: default
            name: visitor-may
            spec:
              targetRef: {kind: Mesh}
              from: [{targetRef: {kind: MeshService, name: visitor}, default: {action: Allow}}]
            ---
            type: MeshTimeout
            mesh: default
            name: calm
            spec:
              targetRef: {kind: Mesh}
              to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 20s}}]
            """);
        text.append(dataplane("web", applications.webPort(), ", kuma.io/protocol: http"));
        text.append(dataplane("greeter", applications.greeterPort(), ", kuma.io/protocol: grpc"));
        text.append(dataplane("chat", applications.webPort(), ", kuma.io/protocol: http"));
        text.append(dataplane("mail", applications.mailPort(), ""));
        text.append(dataplane("visitor", freePort(), ""));
        text.append("  outbound:\n");
        for (int i = 0; i < PROXIES.size() - 1; i++) {
            text.append("    - {port: %d, tags: {kuma.io/service: %s}}\n".formatted(first + i, PROXIES.get(i)));
        }
        return text.toString();
    }

    private static String dataplane(String name, int application, String tags) throws IOException {
        return """
            ---
            type: Dataplane
            mesh: default
            name: %1$s
            networking:
              address: 127.0.0.1
              inbound:
                - {port: %2$d, servicePort: %3$d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: %1$s%4$s}}
            """.formatted(name, freePort(), application, tags);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @Override
    public void close() {
        closed = true;
        visitor.close();
        mesh.close();
        applications.close();
    }
}
