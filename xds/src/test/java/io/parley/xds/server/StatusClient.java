package io.parley.xds.server;

import com.google.protobuf.Message;
import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A client of endpoints on any of the four aggregated methods. The messages of v2 have the numbers of v3. */
record StatusClient(Supplier<Told> answers, BiFunction<Told, Optional<String>, Runnable> reply) {
    /**
     * What an answer said.
     *
     * @param own versions of resources by name; empty on state-of-the-world streams, which know only one for all
     */
    record Told(String typeUrl, String version, String nonce, Map<String, String> own) {
        String versionOf(String name) {
            return own.getOrDefault(name, version);
        }
    }

    static StatusClient open(Channel channel, ApiVersion api, DiscoveryMethod.Variant variant, String... names) {
        DiscoveryMethod method = DiscoveryMethod.all().stream()
                .filter(each -> each.type() == null && each.api() == api && each.variant() == variant)
                .findAny()
                .orElseThrow();
        String url = ResourceType.ENDPOINT.url(api);
        return switch (variant) {
            case SOTW -> sotw(channel, method.fullName(), url, List.of(names));
            case DELTA -> delta(channel, method.fullName(), url, List.of(names));
        };
    }

    Told next() {
        return answers.get();
    }

    void acknowledge(Told answer) {
        reply.apply(answer, Optional.empty()).run();
    }

    void reject(Told answer, String because) {
        reply.apply(answer, Optional.of(because)).run();
    }

    private static StatusClient sotw(Channel channel, String method, String url, List<String> names) {
        Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        var requests = call(
                channel, method, DiscoveryRequest.getDefaultInstance(), DiscoveryResponse.getDefaultInstance(), inbox);
        Function<Told, DiscoveryRequest.Builder> again = answer -> DiscoveryRequest.newBuilder()
                .setTypeUrl(url)
                .addAllResourceNames(names)
                .setResponseNonce(answer.nonce());
        requests.onNext(again.apply(new Told(url, "", "", Map.of())).build());
        String[] accepted = {""};
        return new StatusClient(() -> told(inbox.next()), (answer, error) -> () -> {
            accepted[0] = error.isPresent() ? accepted[0] : answer.version();
            DiscoveryRequest.Builder request = again.apply(answer).setVersionInfo(accepted[0]);
            error.ifPresent(because -> request.setErrorDetail(status(because)));
            requests.onNext(request.build());
        });
    }

    private static StatusClient delta(Channel channel, String method, String url, List<String> names) {
        Inbox<DeltaDiscoveryRequest, DeltaDiscoveryResponse> inbox = new Inbox<>();
        var requests = call(
                channel,
                method,
                DeltaDiscoveryRequest.getDefaultInstance(),
                DeltaDiscoveryResponse.getDefaultInstance(),
                inbox);
        requests.onNext(DeltaDiscoveryRequest.newBuilder()
                .setTypeUrl(url)
                .addAllResourceNamesSubscribe(names)
                .build());
        return new StatusClient(() -> told(inbox.next()), (answer, error) -> () -> {
            DeltaDiscoveryRequest.Builder request =
                    DeltaDiscoveryRequest.newBuilder().setTypeUrl(url).setResponseNonce(answer.nonce());
            error.ifPresent(because -> request.setErrorDetail(status(because)));
            requests.onNext(request.build());
        });
    }

    private static <Q extends Message, R extends Message> StreamObserver<Q> call(
            Channel channel, String method, Q request, R response, Inbox<Q, R> inbox) {
        MethodDescriptor<Q, R> descriptor = MethodDescriptor.newBuilder(
                        ProtoUtils.marshaller(request), ProtoUtils.marshaller(response))
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName(method)
                .build();
        return ClientCalls.asyncBidiStreamingCall(channel.newCall(descriptor, CallOptions.DEFAULT), inbox);
    }

    private static Told told(DiscoveryResponse response) {
        return new Told(response.getTypeUrl(), response.getVersionInfo(), response.getNonce(), Map.of());
    }

    private static Told told(DeltaDiscoveryResponse response) {
        return new Told(
                response.getTypeUrl(),
                response.getSystemVersionInfo(),
                response.getNonce(),
                response.getResourcesList().stream()
                        .collect(Collectors.toMap(Resource::getName, Resource::getVersion)));
    }

    private static Status status(String because) {
        return Status.newBuilder().setCode(3).setMessage(because).build();
    }
}
