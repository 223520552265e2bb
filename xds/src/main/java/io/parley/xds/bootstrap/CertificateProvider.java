package io.parley.xds.bootstrap;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where certificates come from that resources name by instance (gRPC A29). */
public sealed interface CertificateProvider {
    /**
     * Files that are read again and again.
     *
     * @param identity null if the instance gives only authorities
     * @param caFile null if the instance gives only an identity
     */
    record FileWatcher(
            ChannelCredentials.@Nullable KeyFiles identity,
            @Nullable Path caFile,
            Duration refresh) implements CertificateProvider {
        public static final String PLUGIN = "file_watcher";
    }

    /** A plugin that is not known here: no error until a resource names the instance. */
    record Unknown(String plugin, String configJson) implements CertificateProvider {}
}
