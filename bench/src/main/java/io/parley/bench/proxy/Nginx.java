package io.parley.bench.proxy;

import static io.parley.bench.proxy.Subject.text;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** nginx with one worker. It speaks no HTTP/2 to servers. */
record Nginx() implements Subject {
    @Override
    public String name() {
        return "nginx";
    }

    @Override
    public boolean can(Setup setup) {
        return setup != Setup.HTTP2;
    }

    @Override
    public Processes start(Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
        Processes running = Processes.onFirstProcessor();
        switch (setup) {
            case CLEAR -> stream(running, setup.name(), running.address(), folder, "proxy_pass " + text(origin) + ";");
            case TWO_HOPS -> twoHops(running, origin, tls, folder);
            case HTTP1, HTTP2_TO_HTTP1, HTTP2 -> http(running, setup, origin, folder);
        }
        return running;
    }

    private static void twoHops(Processes running, InetSocketAddress origin, Certificates tls, Path folder)
            throws IOException {
        InetSocketAddress middle = Processes.freeAddress();
        start(running, "inbound", middle, folder, """
            stream { server { listen %s ssl; proxy_pass %s; ssl_certificate %s; ssl_certificate_key %s;
            ssl_client_certificate %s; ssl_verify_client on; ssl_protocols TLSv1.3; ssl_session_tickets off; } }
            """.formatted(
                        text(middle), text(origin), tls.chain("server"), tls.key("server"), tls.authority()));
        stream(running, "outbound", running.address(), folder, """
            proxy_pass %s; proxy_ssl on; proxy_ssl_certificate %s; proxy_ssl_certificate_key %s;
            proxy_ssl_trusted_certificate %s; proxy_ssl_verify on; proxy_ssl_name localhost; proxy_ssl_protocols TLSv1.3;
            proxy_ssl_session_reuse off;
            """.formatted(
                        text(middle), tls.chain("client"), tls.key("client"), tls.authority()));
    }

    private static void http(Processes running, Setup setup, InetSocketAddress origin, Path folder) throws IOException {
        start(running, setup.name(), running.address(), folder, """
            http {
              access_log off; keepalive_requests 1000000000; keepalive_timeout 1h;
              client_body_temp_path %1$s/n1; proxy_temp_path %1$s/n2; fastcgi_temp_path %1$s/n3; uwsgi_temp_path %1$s/n4;
              scgi_temp_path %1$s/n5;
              upstream origin { server %2$s; keepalive 128; keepalive_requests 1000000000; }
              server {
                listen %3$s%4$s;
                location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; }
              }
            }
            """.formatted(
                        folder, text(origin), text(running.address()), setup.readsHttp2() ? " http2" : ""));
    }

    private static void stream(Processes running, String name, InetSocketAddress listens, Path folder, String server)
            throws IOException {
        start(running, name, listens, folder, "stream { server { listen " + text(listens) + "; " + server + " } }");
    }

    private static void start(Processes running, String name, InetSocketAddress listens, Path folder, String block)
            throws IOException {
        Path config = Files.writeString(folder.resolve("nginx-" + name + ".conf"), """
            include /etc/nginx/modules-enabled/*.conf;
            worker_processes 1; daemon off; pid %s; error_log stderr crit;
            events { worker_connections 4096; }
            %s
            """.formatted(
                        folder.resolve("nginx-" + name + ".pid"), block));
        running.start(folder.resolve("nginx-" + name + ".log"), listens, List.of("nginx", "-c", config.toString()));
    }
}
