package io.parley.proxy.exchange;

import io.parley.proxy.config.HttpUpstream.Version;

/** A server that does not speak what it is declared to: nobody can do anything about that but who declared it. */
final class Mismatch {
    private Mismatch() {}

    /** Counts and logs it, and says it in a sentence. */
    static String report(HttpLoop loop, String cluster, Object endpoint, Version declared, String found) {
        String expected = declared == Version.HTTP2 ? "HTTP/2" : "HTTP/1";
        String text = endpoint + " was expected to speak " + expected + " and spoke " + found;
        loop.telemetry().mismatch(cluster, expected).increment();
        loop.telemetry().complaints().note(cluster, Hindrance.PROTOCOL_MISMATCH.word(), text, loop.now());
        return text;
    }
}
