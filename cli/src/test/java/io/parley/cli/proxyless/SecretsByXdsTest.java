package io.parley.cli.proxyless;

import static org.awaitility.Awaitility.await;

import io.parley.cli.FreePorts;
import io.parley.proxy.app.ProxyProgram;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy that speaks nothing but xDS gets its certificate from the control plane's secrets. */
class SecretsByXdsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void membersByXdsAndByTheLinkCallEachOtherInAStrictMesh(@TempDir Path folder) throws Exception {
        try (ServerSocket echo = Echo.start();
                MixedMesh mesh = new MixedMesh(folder)) {
            int toXds = FreePorts.next();
            int toLink = FreePorts.next();
            mesh.apply(Echo.dataplane("by-xds", echo.getLocalPort(), toLink, "by-link")
                    + Echo.dataplane("by-link", echo.getLocalPort(), toXds, "by-xds"));
            var _ = mesh.join("by-link");
            try (ProxyProgram _ = mesh.joinByXds("by-xds")) {
                await().atMost(PATIENCE).ignoreExceptions().until(() -> Echo.echoes(toXds));
                await().atMost(PATIENCE).ignoreExceptions().until(() -> Echo.echoes(toLink));
            }
        }
    }
}
