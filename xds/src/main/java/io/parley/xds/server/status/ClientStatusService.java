package io.parley.xds.server.status;

import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc.ClientStatusDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parley.xds.server.StreamState;
import io.parley.xds.server.XdsServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells which client holds what, by names and versions; never the resources themselves, which may be secrets. Whoever binds it must let
 * only administrators in.
 */
public final class ClientStatusService extends ClientStatusDiscoveryServiceImplBase {
    private final XdsServer server;

    public ClientStatusService(XdsServer server) {
        this.server = server;
    }

    @Override
    public void fetchClientStatus(ClientStatusRequest request, StreamObserver<ClientStatusResponse> answers) {
        answer(request, answers, response -> {
            answers.onNext(response);
            answers.onCompleted();
        });
    }

    @Override
    public StreamObserver<ClientStatusRequest> streamClientStatus(StreamObserver<ClientStatusResponse> answers) {
        return new StreamObserver<>() {
            @Override
            public void onNext(ClientStatusRequest request) {
                answer(request, answers, answers::onNext);
            }

            @Override
            public void onError(Throwable cancelled) {}

            @Override
            public void onCompleted() {
                answers.onCompleted();
            }
        };
    }

    private void answer(
            ClientStatusRequest request,
            StreamObserver<ClientStatusResponse> answers,
            Consumer<ClientStatusResponse> then) {
        List<NodeFilter> filters = new ArrayList<>();
        for (var matcher : request.getNodeMatchersList()) {
            Optional<NodeFilter> filter = NodeFilter.of(matcher);
            if (filter.isEmpty()) {
                answers.onError(Status.INVALID_ARGUMENT
                        .withDescription(
                                "node_matchers: only node_id by exact, prefix, suffix or contains is supported")
                        .asRuntimeException());
                return;
            }
            filters.add(filter.get());
        }
        var _ = server.states().thenAccept(states -> then.accept(response(states, filters)));
    }

    private static ClientStatusResponse response(List<StreamState> states, List<NodeFilter> filters) {
        ClientStatusResponse.Builder response = ClientStatusResponse.newBuilder();
        for (StreamState state : states) {
            String id = state.stream().node().id();
            if (filters.isEmpty() || filters.stream().anyMatch(filter -> filter.matches(id))) {
                response.addConfig(ClientConfigs.of(state));
            }
        }
        return response.build();
    }
}
