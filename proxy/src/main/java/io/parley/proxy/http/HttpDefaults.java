package io.parley.proxy.http;

import io.parley.proxy.http.HttpConfig.Forwarding;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What holds for HTTP where nobody configures routes, so that every request goes where its connection goes, as it came.
 *
 * @param answer how long a whole answer may take, as a route's timeout; null for as long as it takes
 */
public record HttpDefaults(
        HttpTimeouts timeouts, HttpLimits limits, @Nullable Duration answer) {
    public static final HttpDefaults USUAL = new HttpDefaults(HttpTimeouts.DEFAULT, HttpLimits.DEFAULT, null);

    /** For one way, by its name. The cluster is that of the connection. */
    public HttpConfig config(String name, Forwarding forwarding) {
        return HttpConfig.simple(name, "", forwarding, this);
    }
}
