package io.parley.proxy.http;

import io.parley.proxy.log.LogConfig;
import io.parley.proxy.trace.TraceConfig;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is told of requests.
 *
 * @param logs who hears of each when it is over
 * @param trace null if there are no traces
 * @param requestFields fields of a request that logs ask for
 * @param answerFields fields of an answer that logs ask for
 */
public record Telling(
        List<LogConfig> logs, @Nullable TraceConfig trace, Set<String> requestFields, Set<String> answerFields) {
    public static final Telling NOTHING = Telling.of(List.of(), null);

    public static Telling of(List<LogConfig> logs, @Nullable TraceConfig trace) {
        return new Telling(
                List.copyOf(logs), trace, union(logs, LogConfig::requestFields), union(logs, LogConfig::answerFields));
    }

    private static Set<String> union(List<LogConfig> logs, Function<LogConfig, Set<String>> fields) {
        return logs.stream().map(fields).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }
}
