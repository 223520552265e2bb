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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A client of one type on any of the four aggregated methods. The messages of v2 have the numbers of v3. */
interface StatusClient {
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

    /** A client of these endpoints. */
    static StatusClient open(Channel channel, ApiVersion api, DiscoveryMethod.Variant variant, String... names) {
        return open(channel, api, variant, ResourceType.ENDPOINT, names);
    }

    /** A client of these names of a type, or of all if none is given and the type allows it. */
    static StatusClient open(
            Channel channel, ApiVersion api, DiscoveryMethod.Variant variant, ResourceType type, String... names) {
        DiscoveryMethod method = DiscoveryMethod.all().stream()
                .filter(each -> each.type() == null && each.api() == api && each.variant() == variant)
                .findAny()
                .orElseThrow();
        return switch (variant) {
            case SOTW -> new Sotw(channel, method.fullName(), type.url(api), List.of(names));
            case DELTA -> new Delta(channel, method.fullName(), type.url(api), List.of(names));
        };
    }

    Told next();

    void acknowledge(Told answer);

    void reject(Told answer, String because);

    void askAlso(Told last, String name);

    void giveUp(Told last, String name);

    /** Names all that it wants in each request. */
    final class Sotw implements StatusClient {
        private final Inbox<DiscoveryRequest, DiscoveryResponse> inbox = new Inbox<>();
        private final StreamObserver<DiscoveryRequest> requests;
        private final String url;
        private final List<String> names;
        private String accepted = "";

        private Sotw(Channel channel, String method, String url, List<String> names) {
            this.url = url;
            this.names = new ArrayList<>(names);
            requests = call(
                    channel,
                    method,
                    DiscoveryRequest.getDefaultInstance(),
                    DiscoveryResponse.getDefaultInstance(),
                    inbox);
            requests.onNext(request("").build());
        }

        private DiscoveryRequest.Builder request(String nonce) {
            return DiscoveryRequest.newBuilder()
                    .setTypeUrl(url)
                    .addAllResourceNames(names)
                    .setVersionInfo(accepted)
                    .setResponseNonce(nonce);
        }

        @Override
        public Told next() {
            DiscoveryResponse response = inbox.next();
            return new Told(response.getTypeUrl(), response.getVersionInfo(), response.getNonce(), Map.of());
        }

        @Override
        public void acknowledge(Told answer) {
            accepted = answer.version();
            requests.onNext(request(answer.nonce()).build());
        }

        @Override
        public void reject(Told answer, String because) {
            requests.onNext(
                    request(answer.nonce()).setErrorDetail(status(because)).build());
        }

        @Override
        public void askAlso(Told last, String name) {
            names.add(name);
            requests.onNext(request(last.nonce()).build());
        }

        @Override
        public void giveUp(Told last, String name) {
            names.remove(name);
            requests.onNext(request(last.nonce()).build());
        }
    }

    /** Says only what is new. */
    final class Delta implements StatusClient {
        private final Inbox<DeltaDiscoveryRequest, DeltaDiscoveryResponse> inbox = new Inbox<>();
        private final StreamObserver<DeltaDiscoveryRequest> requests;
        private final String url;

        private Delta(Channel channel, String method, String url, List<String> names) {
            this.url = url;
            requests = call(
                    channel,
                    method,
                    DeltaDiscoveryRequest.getDefaultInstance(),
                    DeltaDiscoveryResponse.getDefaultInstance(),
                    inbox);
            requests.onNext(request().addAllResourceNamesSubscribe(names).build());
        }

        private DeltaDiscoveryRequest.Builder request() {
            return DeltaDiscoveryRequest.newBuilder().setTypeUrl(url);
        }

        @Override
        public Told next() {
            DeltaDiscoveryResponse response = inbox.next();
            return new Told(
                    response.getTypeUrl(),
                    response.getSystemVersionInfo(),
                    response.getNonce(),
                    response.getResourcesList().stream()
                            .collect(Collectors.toMap(Resource::getName, Resource::getVersion)));
        }

        @Override
        public void acknowledge(Told answer) {
            requests.onNext(request().setResponseNonce(answer.nonce()).build());
        }

        @Override
        public void reject(Told answer, String because) {
            requests.onNext(request()
                    .setResponseNonce(answer.nonce())
                    .setErrorDetail(status(because))
                    .build());
        }

        @Override
        public void askAlso(Told last, String name) {
            requests.onNext(request().addResourceNamesSubscribe(name).build());
        }

        @Override
        public void giveUp(Told last, String name) {
            requests.onNext(request().addResourceNamesUnsubscribe(name).build());
        }
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

    private static Status status(String because) {
        return Status.newBuilder().setCode(3).setMessage(because).build();
    }
}
