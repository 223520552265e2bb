package io.parley.control.app;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a control plane is told at its start.
 *
 * @param data its folder
 * @param api where people and tools reach it
 * @param listen where proxies, xDS clients and zones reach it
 * @param localXds where xDS clients of this machine connect in clear that can show no token, or null for nowhere
 * @param store where it keeps resources
 * @param hostNames names beyond the machine's own under which it is reached
 * @param masterKey the file with the key of sealed secrets, or null for the one in the data folder
 * @param mode what it is to other control planes
 */
public record ControlPlaneConfig(
        Path data,
        HostPort api,
        HostPort listen,
        @Nullable HostPort localXds,
        StoreChoice store,
        List<String> hostNames,
        @Nullable Path masterKey,
        Mode mode) {
    public static final String DEFAULT_API = "127.0.0.1:5681";
    public static final String DEFAULT_LISTEN = "0.0.0.0:5678";

    /** Of a control plane that is alone. */
    public ControlPlaneConfig(
            Path data,
            HostPort api,
            HostPort listen,
            @Nullable HostPort localXds,
            StoreChoice store,
            List<String> hostNames,
            @Nullable Path masterKey) {
        this(data, api, listen, localXds, store, hostNames, masterKey, new Mode.Standalone());
    }

    public ControlPlaneConfig {
        hostNames = List.copyOf(hostNames);
        if (localXds != null && !localXds.isLoopback()) {
            throw new IllegalArgumentException("--local-xds: " + localXds
                    + " (expected: a loopback address, since whoever reaches it is not asked who they are)");
        }
    }
}
