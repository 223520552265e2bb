package io.parley.xds.server.status;

import com.google.protobuf.CodedOutputStream;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.parley.xds.server.NodeIdentity;
import io.parley.xds.server.StateReader;
import io.parley.xds.server.StreamState;
import java.util.List;
import java.util.Optional;

/** An answer that grows client by client, on their threads, and takes no more once it is too large for one message. */
final class BoundedAnswer implements StateReader {
    private final List<NodeFilter> filters;
    private final ClientConfigs configs;
    private final int maxBytes;
    private final ClientStatusResponse.Builder response = ClientStatusResponse.newBuilder();
    private int bytes;
    private boolean full;

    BoundedAnswer(List<NodeFilter> filters, ClientConfigs configs, int maxBytes) {
        this.filters = filters;
        this.configs = configs;
        this.maxBytes = maxBytes;
    }

    @Override
    public boolean wants(NodeIdentity node) {
        return !isFull() && (filters.isEmpty() || filters.stream().anyMatch(filter -> filter.matches(node.id())));
    }

    @Override
    public void read(StreamState state) {
        add(configs.of(state));
    }

    private synchronized void add(ClientConfig config) {
        bytes += CodedOutputStream.computeMessageSize(ClientStatusResponse.CONFIG_FIELD_NUMBER, config);
        full |= bytes > maxBytes && response.getConfigCount() > 0;
        if (full) {
            response.clear();
        } else {
            response.addConfig(config);
        }
    }

    private synchronized boolean isFull() {
        return full;
    }

    /** Nothing if it became too large. */
    synchronized Optional<ClientStatusResponse> response() {
        return full ? Optional.empty() : Optional.of(response.build());
    }
}
