package io.parley.control.destination;

import com.google.protobuf.Message;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.parley.control.model.Model;
import io.parley.control.feed.ModelFeed;
import io.parley.wire.destination.proto.DestinationProfile;
import io.parley.wire.destination.proto.GetDestination;
import io.parley.wire.destination.proto.Update;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** {@code io.linkerd.proxy.destination.Destination}. Who asks is authenticated before a call gets here. */
public final class DestinationService implements BindableService, AutoCloseable {
    private static final String NAME = "io.linkerd.proxy.destination.Destination";

    private static final MethodDescriptor<GetDestination, Update> GET = method("Get", Update.getDefaultInstance());
    private static final MethodDescriptor<GetDestination, DestinationProfile> GET_PROFILE =
            method("GetProfile", DestinationProfile.getDefaultInstance());

    private final ModelFeed feed;
    private final Supplier<String> mesh;
    private final AddressIndex addresses = new AddressIndex();
    private final Set<Subscription<?>> subscriptions = ConcurrentHashMap.newKeySet();
    private final ModelFeed.Listener listener = update -> tell(update.model());

    /**
     * A service.
     *
     * @param mesh of whoever makes the call that is being handled
     */
    public DestinationService(ModelFeed feed, Supplier<String> mesh) {
        this.feed = feed;
        this.mesh = mesh;
        feed.listen(listener);
    }

    @Override
    public ServerServiceDefinition bindService() {
        return ServerServiceDefinition.builder(NAME)
                .addMethod(GET, ServerCalls.asyncServerStreamingCall(this::get))
                .addMethod(GET_PROFILE, ServerCalls.asyncServerStreamingCall(this::getProfile))
                .build();
    }

    private void get(GetDestination request, StreamObserver<Update> out) {
        open(request, out, target -> new EndpointUpdates(target)::next);
    }

    private void getProfile(GetDestination request, StreamObserver<DestinationProfile> out) {
        open(request, out, target -> new Profiles(target, addresses)::next);
    }

    private interface Opener<M> {
        Subscription.Source<M> open(Target target);
    }

    private <M extends Message> void open(GetDestination request, StreamObserver<M> out, Opener<M> opener) {
        Subscription.Source<M> source;
        try {
            source = opener.open(Target.parse(mesh.get(), request.getPath()));
        } catch (IllegalArgumentException e) {
            out.onError(Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
            return;
        }
        ServerCallStreamObserver<M> call = (ServerCallStreamObserver<M>) out;
        Subscription<M> subscription = new Subscription<>(call, source);
        call.setOnCancelHandler(() -> subscriptions.remove(subscription));
        call.setOnReadyHandler(() -> {
            var _ = subscription.offer(feed.current());
        });
        subscriptions.add(subscription);
        if (!subscription.offer(feed.current())) {
            subscriptions.remove(subscription);
        }
    }

    private void tell(Model model) {
        subscriptions.removeIf(subscription -> !subscription.offer(model));
    }

    /** How many streams are open. */
    public int streams() {
        return subscriptions.size();
    }

    @Override
    public void close() {
        feed.unlisten(listener);
        subscriptions.forEach(Subscription::end);
        subscriptions.clear();
    }

    private static <M extends Message> MethodDescriptor<GetDestination, M> method(String name, M answer) {
        return MethodDescriptor.<GetDestination, M>newBuilder()
                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .setRequestMarshaller(ProtoUtils.marshaller(GetDestination.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(answer))
                .build();
    }
}
