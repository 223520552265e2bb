package io.parley.bench.sync;

import java.io.PrintStream;

/** Prints rows of a table as they become known. */
record Report(PrintStream out) {
    void head(String what) {
        row(what, "delta", "state of the world (v1)");
        out.println("|---|---|---|");
    }

    void row(String what, String first, String second) {
        out.println("| " + what + " | " + first + " | " + second + " |");
        out.flush();
    }
}
