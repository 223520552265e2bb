package io.parley.bench.proxy;

import static io.parley.bench.proxy.Subject.text;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** HAProxy with one thread. */
record Haproxy() implements Subject {
    private static final String HEAD = """
        global
          nbthread 1
          maxconn 4096
        defaults
          mode %s
          timeout connect 5s
          timeout client 1m
          timeout server 1m
          %s
        """;

    @Override
    public String name() {
        return "haproxy";
    }

    @Override
    public boolean can(Setup setup) {
        return true;
    }

    @Override
    public Processes start(Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
        Processes running = Processes.onFirstProcessor();
        if (setup.isHttp()) {
            start(
                    running,
                    setup.name(),
                    running.address(),
                    folder,
                    HEAD.formatted("http", "http-reuse always")
                            + "listen out\n  bind %s%s\n  server s %s%s\n"
                                    .formatted(
                                            text(running.address()),
                                            setup.readsHttp2() ? " proto h2" : "",
                                            text(origin),
                                            setup == Setup.HTTP2 ? " proto h2" : ""));
            return running;
        }
        String head = HEAD.formatted("tcp", "option splice-auto");
        String server = text(origin);
        if (setup == Setup.TWO_HOPS) {
            InetSocketAddress middle = Processes.freeAddress();
            start(
                    running,
                    "inbound",
                    middle,
                    folder,
                    head
                            + "listen in\n  bind %s ssl crt %s ca-file %s verify required no-tls-tickets\n  server s %s\n"
                                    .formatted(text(middle), tls.bundle("server"), tls.authority(), text(origin)));
            server = "%s ssl crt %s ca-file %s verify required no-ssl-reuse"
                    .formatted(text(middle), tls.bundle("client"), tls.authority());
        }
        start(
                running,
                setup.name(),
                running.address(),
                folder,
                head + "listen out\n  bind %s\n  server s %s\n".formatted(text(running.address()), server));
        return running;
    }

    private static void start(Processes running, String name, InetSocketAddress listens, Path folder, String file)
            throws IOException {
        Path config = Files.writeString(folder.resolve("haproxy-" + name + ".cfg"), file);
        running.start(
                folder.resolve("haproxy-" + name + ".log"),
                listens,
                List.of("haproxy", "-db", "-f", config.toString()));
    }
}
