package io.parley.bench.proxy;

import static io.parley.bench.proxy.Subject.text;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Our proxy as it is shipped, with one event loop and a heap of 64 MiB. */
record Parley() implements Subject {
    private static final List<String> PROXY = List.of(
            "env", "PARLEY_JAVA_OPTIONS=-Xmx64m", "./parley", "proxy", "--threads", "1", "--admin", "127.0.0.1:0");

    @Override
    public String name() {
        return "parley";
    }

    @Override
    public boolean can(Setup setup) {
        return true;
    }

    @Override
    public Processes start(Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
        Processes running = Processes.onFirstProcessor();
        InetSocketAddress listens = running.address();
        switch (setup) {
            case CLEAR -> start(running, folder, outbound(listens, origin, "", "opaque"));
            case HTTP1 -> start(running, folder, outbound(listens, origin, "", "http1"));
            case HTTP2 -> start(running, folder, outbound(listens, origin, "", "http2"));
            case HTTP2_TO_HTTP1 -> start(running, folder, outbound(listens, origin, "", "http2, speaks: http1"));
            case TWO_HOPS -> twoHops(running, origin, tls, folder);
        }
        return running;
    }

    private static void twoHops(Processes running, InetSocketAddress origin, Certificates tls, Path folder)
            throws IOException {
        InetSocketAddress middle = Processes.freeAddress();
        start(
                running,
                "inbound",
                middle,
                folder,
                tls.identity("server") + """
                    inbound:
                      address: %s
                      destinations: listener
                      ports: [{port: %d, protocol: opaque}]
                    """.formatted(text(middle), origin.getPort()));
        String mesh = ", proxy: \"%s\", identity: %s".formatted(text(middle), tls.name("server"));
        start(running, folder, tls.identity("client") + outbound(running.address(), origin, mesh, "opaque"));
    }

    /** A static file for one service; {@code mesh} is what follows an endpoint's address. */
    static String outbound(InetSocketAddress listen, InetSocketAddress origin, String mesh, String protocol) {
        return """
            outbound:
              address: 127.0.0.1:0
              destinations: listener
              services:
                - {name: origin, port: 1, protocol: %s, listen: "%s", endpoints: [{address: "%s"%s}]}
            """.formatted(protocol, text(listen), text(origin), mesh);
    }

    static void start(Processes running, Path folder, String file) throws IOException {
        start(running, "outbound", running.address(), folder, file);
    }

    private static void start(Processes running, String name, InetSocketAddress listens, Path folder, String file)
            throws IOException {
        running.start(folder.resolve(name + ".log"), listens, command(folder.resolve(name + ".yaml"), file));
    }

    /** The same, without a wait until it listens. */
    static void launch(Processes running, Path folder, String file) throws IOException {
        running.launch(folder.resolve("launch.log"), command(folder.resolve("launch.yaml"), file));
    }

    private static List<String> command(Path config, String file) throws IOException {
        Files.writeString(config, "accessLog: none\n" + file);
        List<String> command = new ArrayList<>(PROXY);
        command.addAll(List.of("--static", config.toString()));
        return command;
    }
}
