package io.parley.xds.bootstrap;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the connection to a server is secured. */
public sealed interface ChannelCredentials {
    /** Plain text. */
    record Insecure() implements ChannelCredentials {}

    /**
     * TLS (gRPC A65).
     *
     * @param caFile certificates of the authorities to trust; null for those of the system
     * @param identity the client's own certificate; null if it has none
     * @param refresh how often the files are read again
     */
    record Tls(@Nullable Path caFile, @Nullable KeyFiles identity, Duration refresh) implements ChannelCredentials {
        public static final Duration DEFAULT_REFRESH = Duration.ofMinutes(10);

        public static Tls systemRoots() {
            return new Tls(null, null, DEFAULT_REFRESH);
        }
    }

    /** A certificate chain and its private key, both PEM. */
    record KeyFiles(Path certificateFile, Path privateKeyFile) {}
}
