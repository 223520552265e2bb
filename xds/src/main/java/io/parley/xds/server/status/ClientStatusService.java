package io.parley.xds.server.status;

import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc.ClientStatusDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parley.xds.server.StreamState;
import io.parley.xds.server.XdsServer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells which client holds what, by names and versions; never the resources themselves, which may be secrets. Whoever binds it must let
 * only administrators in.
 */
public final class ClientStatusService extends ClientStatusDiscoveryServiceImplBase {
    private static final Status UNSUPPORTED = Status.INVALID_ARGUMENT.withDescription(
            "node_matchers: only node_id by exact, prefix, suffix or contains is supported");

    private final XdsServer server;
    private final Clock clock;

    public ClientStatusService(XdsServer server, Clock clock) {
        this.server = server;
        this.clock = clock;
    }

    @Override
    public void fetchClientStatus(ClientStatusRequest request, StreamObserver<ClientStatusResponse> answers) {
        StreamObserver<ClientStatusRequest> stream = streamClientStatus(answers);
        stream.onNext(request);
        stream.onCompleted();
    }

    @Override
    public StreamObserver<ClientStatusRequest> streamClientStatus(StreamObserver<ClientStatusResponse> answers) {
        return new Conversation(answers);
    }

    /** One answer after the other, and the end after the last: many a client ends its side as soon as it has asked. */
    private final class Conversation implements StreamObserver<ClientStatusRequest> {
        private final StreamObserver<ClientStatusResponse> answers;
        private CompletableFuture<Boolean> open = CompletableFuture.completedFuture(true);

        Conversation(StreamObserver<ClientStatusResponse> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(ClientStatusRequest request) {
            open = open.thenCompose(still -> still ? answer(request) : CompletableFuture.completedFuture(false));
        }

        @Override
        public void onError(Throwable cancelled) {}

        @Override
        public void onCompleted() {
            var _ = open.thenAccept(still -> {
                if (still) {
                    answers.onCompleted();
                }
            });
        }

        /** Whether the conversation may go on. */
        private CompletableFuture<Boolean> answer(ClientStatusRequest request) {
            List<NodeFilter> filters = new ArrayList<>();
            for (var matcher : request.getNodeMatchersList()) {
                Optional<NodeFilter> filter = NodeFilter.of(matcher);
                if (filter.isEmpty()) {
                    answers.onError(UNSUPPORTED.asRuntimeException());
                    return CompletableFuture.completedFuture(false);
                }
                filters.add(filter.get());
            }
            return server.states().thenApply(states -> {
                answers.onNext(response(states, filters));
                return true;
            });
        }
    }

    private ClientStatusResponse response(List<StreamState> states, List<NodeFilter> filters) {
        ClientConfigs configs = new ClientConfigs(clock.instant());
        ClientStatusResponse.Builder response = ClientStatusResponse.newBuilder();
        for (StreamState state : states) {
            String id = state.stream().node().id();
            if (filters.isEmpty() || filters.stream().anyMatch(filter -> filter.matches(id))) {
                response.addConfig(configs.of(state));
            }
        }
        return response.build();
    }
}
