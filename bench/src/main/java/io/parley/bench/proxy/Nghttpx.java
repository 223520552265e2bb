package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** nghttpx with one worker, for HTTP only. */
record Nghttpx() implements Subject {
    @Override
    public String name() {
        return "nghttpx";
    }

    @Override
    public boolean can(Setup setup) {
        return setup.isHttp();
    }

    @Override
    public Processes start(Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
        Processes running = Processes.onFirstProcessor();
        Path config = Files.writeString(folder.resolve("nghttpx-" + setup + ".conf"), "");
        running.start(
                folder.resolve("nghttpx-" + setup + ".log"),
                running.address(),
                List.of(
                        "nghttpx",
                        "--conf=" + config,
                        "--frontend=127.0.0.1," + running.address().getPort() + ";no-tls",
                        "--backend=127.0.0.1," + origin.getPort() + ";;proto="
                                + (setup == Setup.HTTP2 ? "h2" : "http/1.1"),
                        "--workers=1",
                        "--accesslog-file=/dev/null",
                        "--errorlog-file=/dev/stderr"));
        return running;
    }
}
