package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A proxy program that can be set up for every row. */
enum Subject {
    PARLEY {
        @Override
        Processes start(Row.Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
            return switch (setup) {
                case CLEAR -> {
                    Processes running = new Processes(Processes.freeAddress());
                    parley(
                            running,
                            "clear",
                            running.address(),
                            folder,
                            outbound(running.address(), origin, "", "opaque"));
                    yield running;
                }
                case TWO_HOPS -> {
                    InetSocketAddress middle = Processes.freeAddress();
                    Processes running = new Processes(Processes.freeAddress());
                    parley(
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
                    parley(
                            running,
                            "outbound",
                            running.address(),
                            folder,
                            tls.identity("client") + outbound(running.address(), origin, mesh, "opaque"));
                    yield running;
                }
            };
        }
    },
    HAPROXY {
        @Override
        Processes start(Row.Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
            Processes running = new Processes(Processes.freeAddress());
            InetSocketAddress middle = Processes.freeAddress();
            String head = """
                global
                  nbthread 1
                  maxconn 4096
                defaults
                  mode tcp
                  timeout connect 5s
                  timeout client 1m
                  timeout server 1m
                  option splice-auto
                """;
            if (setup == Row.Setup.TWO_HOPS) {
                haproxy(
                        running,
                        "inbound",
                        middle,
                        folder,
                        head
                                + "listen in\n  bind %s ssl crt %s ca-file %s verify required no-tls-tickets\n  server s %s\n"
                                        .formatted(text(middle), tls.bundle("server"), tls.authority(), text(origin)));
            }
            String server = setup == Row.Setup.CLEAR
                    ? text(origin)
                    : "%s ssl crt %s ca-file %s verify required no-ssl-reuse"
                            .formatted(text(middle), tls.bundle("client"), tls.authority());
            haproxy(
                    running,
                    "outbound",
                    running.address(),
                    folder,
                    head + "listen out\n  bind %s\n  server s %s\n".formatted(text(running.address()), server));
            return running;
        }
    },
    NGINX {
        @Override
        Processes start(Row.Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
            Processes running = new Processes(Processes.freeAddress());
            InetSocketAddress middle = Processes.freeAddress();
            if (setup == Row.Setup.TWO_HOPS) {
                nginx(running, "inbound", middle, folder, """
                    listen %s ssl; proxy_pass %s; ssl_certificate %s; ssl_certificate_key %s;
                    ssl_client_certificate %s; ssl_verify_client on; ssl_protocols TLSv1.3; ssl_session_tickets off;
                    """.formatted(
                                text(middle), text(origin), tls.chain("server"), tls.key("server"), tls.authority()));
            }
            String upstream = setup == Row.Setup.CLEAR
                    ? "proxy_pass " + text(origin) + ";"
                    : """
                    proxy_pass %s; proxy_ssl on; proxy_ssl_certificate %s; proxy_ssl_certificate_key %s;
                    proxy_ssl_trusted_certificate %s; proxy_ssl_verify on; proxy_ssl_name localhost; proxy_ssl_protocols TLSv1.3;
                    proxy_ssl_session_reuse off;
                    """.formatted(text(middle), tls.chain("client"), tls.key("client"), tls.authority());
            nginx(
                    running,
                    "outbound",
                    running.address(),
                    folder,
                    "listen " + text(running.address()) + "; " + upstream);
            return running;
        }
    };

    /** Set up between a client and the origin. */
    abstract Processes start(Row.Setup setup, InetSocketAddress origin, Certificates tls, Path folder)
            throws IOException;

    static String text(InetSocketAddress address) {
        return "127.0.0.1:" + address.getPort();
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

    static void parley(Processes running, String name, InetSocketAddress listens, Path folder, String file)
            throws IOException {
        Path config = Files.writeString(folder.resolve(name + ".yaml"), "accessLog: none\n" + file);
        running.start(
                folder.resolve(name + ".log"),
                listens,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-XX:+UseCompactObjectHeaders",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ParleyProgram.class.getName(),
                        config.toString()));
    }

    private static void haproxy(Processes running, String name, InetSocketAddress listens, Path folder, String file)
            throws IOException {
        Path config = Files.writeString(folder.resolve("haproxy-" + name + ".cfg"), file);
        running.start(
                folder.resolve("haproxy-" + name + ".log"),
                listens,
                List.of("haproxy", "-db", "-f", config.toString()));
    }

    private static void nginx(Processes running, String name, InetSocketAddress listens, Path folder, String server)
            throws IOException {
        Path config = Files.writeString(folder.resolve("nginx-" + name + ".conf"), """
            include /etc/nginx/modules-enabled/*.conf;
            worker_processes 1; daemon off; pid %s; error_log stderr crit;
            events { worker_connections 4096; }
            stream { server { %s } }
            """.formatted(
                        folder.resolve("nginx-" + name + ".pid"), server));
        running.start(folder.resolve("nginx-" + name + ".log"), listens, List.of("nginx", "-c", config.toString()));
    }
}
