package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A web server, nginx, that answers {@link #SMALL} and {@link #LARGE} in HTTP/1.1, and on a port of its own in HTTP/2. */
final class WebOrigin implements AutoCloseable {
    static final String SMALL = "/small";
    static final String LARGE = "/large";
    private static final int LARGE_BYTES = 64 << 10;

    private final Processes http1;
    private final InetSocketAddress http2;

    WebOrigin(Path folder) throws IOException {
        InetSocketAddress clear = Processes.freeAddress();
        this.http2 = Processes.freeAddress();
        this.http1 = Processes.onOtherProcessors(clear);
        // nginx started by root reads files as somebody else.
        Path files = Files.createTempDirectory("bench-origin");
        Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.write(files.resolve("large"), new byte[LARGE_BYTES]);
        Path config = Files.writeString(folder.resolve("origin.conf"), """
            worker_processes 1; daemon off; pid %1$s/origin.pid; error_log stderr crit;
            events { worker_connections 4096; }
            http {
              access_log off; keepalive_requests 1000000000; keepalive_timeout 1h; sendfile on; tcp_nodelay on;
              client_body_temp_path %1$s/t1; proxy_temp_path %1$s/t2; fastcgi_temp_path %1$s/t3; uwsgi_temp_path %1$s/t4;
              scgi_temp_path %1$s/t5;
              server {
                listen 127.0.0.1:%2$d; listen 127.0.0.1:%3$d http2;
                location = %4$s { return 200 "%6$s"; }
                location = %5$s { root %7$s; }
              }
            }
            """.formatted(
                        folder, clear.getPort(), http2.getPort(), SMALL, LARGE, "x".repeat(100), files));
        http1.start(folder.resolve("origin.log"), clear, List.of("nginx", "-e", "stderr", "-c", config.toString()));
    }

    InetSocketAddress address(Setup setup) {
        return setup == Setup.HTTP2 ? http2 : http1.address();
    }

    @Override
    public void close() {
        http1.close();
    }
}
