package io.parley.proxy.config.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whatever a control plane sends: it is in force or refused with a reason, and what was in force before stays so. */
class ResourceFuzzTest {
    @FuzzTest
    void listeners(byte[] input) {
        isTakenOrRefused(ResourceType.LISTENER, input);
    }

    @FuzzTest
    void routes(byte[] input) {
        isTakenOrRefused(ResourceType.ROUTE, input);
    }

    @FuzzTest
    void clusters(byte[] input) {
        isTakenOrRefused(ResourceType.CLUSTER, input);
    }

    @FuzzTest
    void endpoints(byte[] input) {
        isTakenOrRefused(ResourceType.ENDPOINT, input);
    }

    @FuzzTest
    void secrets(byte[] input) {
        isTakenOrRefused(ResourceType.SECRET, input);
    }

    private static void isTakenOrRefused(ResourceType type, byte[] input) {
        XdsConfig config = new XdsConfig(Local.NOTHING, _ -> {});
        config.release();
        ByteString bytes = ByteString.copyFrom(input);
        Optional<String> own = Book.nameOf(type, bytes);
        String name = own.orElse("unreadable");
        Map<String, String> refused = config.change(type, "1", Map.of(name, bytes), List.of());
        assertThat(refused.values()).doesNotContain("");
        if (own.isEmpty()) {
            assertThat(refused).containsOnlyKeys(name);
        }
    }
}
