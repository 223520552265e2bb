package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A forwarder in C that does nothing but pass bytes on: what the row cannot cost less than. */
record SystemCallsOnly() implements Subject {
    /** Without one the row has no such figure. */
    private static final Path COMPILER = Path.of("/usr/bin/cc");

    private static final Path SOURCE = Path.of("bench", "src", "main", "c", "forwarder.c");

    @Override
    public String name() {
        return "system calls only";
    }

    @Override
    public boolean can(Setup setup) {
        return setup == Setup.CLEAR && Files.isExecutable(COMPILER);
    }

    @Override
    public boolean isPeer() {
        return false;
    }

    @Override
    public Processes start(Setup setup, InetSocketAddress origin, Certificates tls, Path folder) throws IOException {
        Path program = folder.resolve("forwarder");
        compile(program);
        Processes running = Processes.onFirstProcessor();
        running.start(
                folder.resolve("forwarder.log"),
                running.address(),
                List.of(
                        program.toString(),
                        Integer.toString(running.address().getPort()),
                        Integer.toString(origin.getPort())));
        return running;
    }

    private static void compile(Path program) throws IOException {
        try {
            int exit = new ProcessBuilder(
                            COMPILER.toString(), "-O2", "-pthread", "-o", program.toString(), SOURCE.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException(COMPILER + " could not compile " + SOURCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
