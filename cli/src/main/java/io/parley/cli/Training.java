package io.parley.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Does once what users do all day, for the JVM to learn which classes that takes (JEP 483). Run by the build only, as four programs,
 * because none must load what only another one needs: a control plane, short commands that use it, two proxies that join it, and one that is
 * told all by a file.
 */
final class Training {
    private static final List<String> PROXIES = List.of("trained", "trainee");
    private static final int REQUESTS = 50;
    private static final int ATTEMPTS = 1200;

    private final Path data;

    private Training(Path data) {
        this.data = data;
    }

    /** {@code server DIR} goes on until {@code DIR/done} appears; {@code client DIR}, {@code proxy DIR} and {@code static DIR} end by themselves. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Training training = new Training(Path.of(args[1]));
        switch (args[0]) {
            case "server" -> training.serve();
            case "client" -> training.use();
            case "proxy" -> training.forward();
            case "static" -> StaticTraining.run(training.data);
            default -> throw new IllegalArgumentException(args[0] + " (expected: server, client, proxy or static)");
        }
        System.exit(0);
    }

    private void serve() throws IOException, InterruptedException {
        String machines = "127.0.0.1:" + freePort();
        Files.writeString(data.resolve("machines"), machines);
        Thread server =
                inBackground("control-plane", "--data", data.toString(), "--api", "127.0.0.1:0", "--listen", machines);
        awaitDone(server);
    }

    private void use() throws IOException {
        int api = URI.create(Files.readString(data.resolve("api.url")).strip()).getPort();
        int outbound = freePort();
        Path manifest = data.resolve("manifest.yaml");
        Files.writeString(manifest, manifest(api, outbound));
        run("apply", "-f", manifest.toString());
        run("get", "meshtimeouts");
        run("get", "meshtimeout", "trained", "-o", "yaml");
        run("get", "meshes", "-o", "json");
        run("inspect", "dataplanes");
        run("explain", "connection", "--from", "trainee", "--to", "trained:" + outbound);
        run("delete", "meshtimeout", "trained");
        run("token", "user", "--name", "trainee");
        run("version");
        run("--help");
        for (String proxy : PROXIES) {
            Files.writeString(data.resolve(proxy), run("token", "dataplane", "--name", proxy));
        }
        Files.writeString(data.resolve("outbound"), Integer.toString(outbound));
    }

    private void forward() throws IOException, InterruptedException {
        for (String proxy : PROXIES) {
            join(proxy);
        }
        URI through = URI.create("http://127.0.0.1:" + Files.readString(data.resolve("outbound")) + "/healthy");
        int answered = 0;
        for (int attempt = 0; attempt < ATTEMPTS && answered < REQUESTS; attempt++) {
            if (answers(through)) {
                answered++;
            } else {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        if (answered < REQUESTS) {
            throw new IllegalStateException("no answer through the proxy from " + through);
        }
    }

    private static String manifest(int application, int outbound) throws IOException {
        return """
            type: MeshTimeout
            mesh: default
            name: trained
            spec: {targetRef: {kind: Mesh}, to: [{targetRef: {kind: Mesh}, default: {idleTimeout: 20s}}]}
            ---
            type: Mesh
            name: default
            mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
            ---
            type: MeshTrafficPermission
            mesh: default
            name: trained
            spec: {targetRef: {kind: Mesh}, from: [{targetRef: {kind: Mesh}, default: {action: Allow}}]}
            ---
            type: Dataplane
            mesh: default
            name: trained
            networking:
              address: 127.0.0.1
              inbound:
                - {port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: trained, kuma.io/protocol: http}}
            ---
            type: Dataplane
            mesh: default
            name: trainee
            networking:
              address: 127.0.0.1
              inbound:
                - {port: %d, servicePort: %d, serviceAddress: 127.0.0.1, tags: {kuma.io/service: trainee, kuma.io/protocol: http}}
              outbound:
                - {port: %d, tags: {kuma.io/service: trained}}
            """.formatted(freePort(), application, freePort(), application, outbound);
    }

    private void join(String proxy) throws IOException {
        List<String> command = new ArrayList<>(List.of("proxy", "--name", proxy, "--admin", "127.0.0.1:0"));
        command.addAll(List.of("--control-plane", "https://" + Files.readString(data.resolve("machines"))));
        command.addAll(List.of("--ca", data.resolve("ca.pem").toString()));
        command.addAll(List.of("--token", data.resolve(proxy).toString()));
        var _ = inBackground(command.toArray(new String[0]));
    }

    private static boolean answers(URI target) {
        try {
            HttpURLConnection call = (HttpURLConnection) target.toURL().openConnection();
            return call.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    private String run(String... command) {
        var out = new ByteArrayOutputStream();
        int exit = Parley.run(environment(), new PrintStream(out, true, StandardCharsets.UTF_8), System.err, command);
        if (exit != 0) {
            throw new IllegalStateException("parley " + String.join(" ", command) + " returned " + exit);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private Thread inBackground(String... command) {
        return Thread.ofPlatform().daemon().start(() -> Parley.run(environment(), System.out, System.err, command));
    }

    private Map<String, String> environment() {
        return Map.of("PARLEY_DATA", data.toString());
    }

    private void awaitDone(Thread running) throws InterruptedException {
        while (running.isAlive() && !Files.exists(data.resolve("done"))) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Below those that the kernel gives to whoever dials: one of these might be taken before it is used. */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // Somebody has it; the next one may be free.
            }
        }
    }
}
