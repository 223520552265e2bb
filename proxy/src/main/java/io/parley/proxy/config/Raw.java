package io.parley.proxy.config;

import io.parley.proxy.log.LogConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for connections that are not HTTP.
 *
 * @param idle how long one may carry nothing; null if the proxy's own time holds
 * @param logs what is told of each when it is over
 */
public record Raw(@Nullable Duration idle, List<LogConfig> logs) {
    public static final Raw NONE = new Raw(null, List.of());

    public Raw {
        logs = List.copyOf(logs);
    }
}
