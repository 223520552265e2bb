package io.parley.proxy.http;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which pages of other sites may read answers, as a browser asks.
 *
 * @param origins from which
 * @param methods empty allows none but simple ones; {@code *} all
 * @param maxAge how long a browser may remember it; null leaves it unsaid
 */
public record Cors(
        List<TextMatch> origins,
        List<String> methods,
        List<String> requestFields,
        List<String> exposedFields,
        @Nullable Duration maxAge,
        Credentials credentials) {
    /** Whether cookies may be sent. */
    public enum Credentials {
        ALLOWED,
        REFUSED
    }

    public Cors {
        origins = List.copyOf(origins);
        methods = List.copyOf(methods);
        requestFields = List.copyOf(requestFields);
        exposedFields = List.copyOf(exposedFields);
    }
}
