package io.parley.control.serve;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.netty.util.AttributeKey;
import io.parley.control.node.NodeKey;
import io.parley.identity.token.Subject;
import io.parley.xds.server.XdsServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Finds out by the bearer token who makes a gRPC call, before a byte of it is read, and hands the answer to the services in their
 * context. A call is refused in gRPC's own words, so that a client shows the reason.
 */
final class GrpcAccess implements DecoratingHttpServiceFunction {
    /** Who calls, for whoever serves the call. */
    static final Context.Key<Subject> SUBJECT = Context.key("subject");

    private static final String LOCAL_MESH = "default";
    private static final AttributeKey<Subject> PROVEN = AttributeKey.valueOf(GrpcAccess.class, "PROVEN");
    private static final String SCHEME = "Bearer ";
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final NodeTokens tokens;
    private final MachinePort.Audience audience;
    private final OpenCalls open;

    GrpcAccess(NodeTokens tokens, MachinePort.Audience audience, OpenCalls open) {
        this.tokens = tokens;
        this.audience = audience;
        this.open = open;
    }

    /** The mesh of the data plane that makes the call which is being handled. */
    static String callersMesh() {
        return SUBJECT.get() instanceof Subject.Dataplane dataplane ? dataplane.mesh() : LOCAL_MESH;
    }

    @Override
    public HttpResponse serve(HttpService next, ServiceRequestContext context, HttpRequest request) {
        if (!context.sessionProtocol().isTls()) {
            return audience == MachinePort.Audience.DATAPLANE
                    ? unchecked(next, context, request)
                    : refuse(Status.Code.PERMISSION_DENIED, "plain text (expected: TLS; only xDS is served here)");
        }
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return refuse(
                    Status.Code.UNAUTHENTICATED,
                    "no token (expected: authorization: Bearer with " + audience.expected + ")");
        }
        CompletableFuture<NodeTokens.Proof> proof =
                tokens.verify(header.substring(SCHEME.length()).strip());
        return HttpResponse.of(
                proof.thenApplyAsync(proven -> admit(proven, next, context, request), context.eventLoop()));
    }

    private HttpResponse admit(
            NodeTokens.Proof proof, HttpService next, ServiceRequestContext context, HttpRequest request) {
        return switch (proof) {
            case NodeTokens.Proof.None(String reason) -> refuse(Status.Code.UNAUTHENTICATED, reason);
            case NodeTokens.Proof.Of(Subject subject, var _)
            when !audience.admits(subject) ->
                refuse(
                        Status.Code.PERMISSION_DENIED,
                        "the token is for " + subject.name() + " (expected: " + audience.expected + ")");
            case NodeTokens.Proof.Of(Subject subject, var holds) -> {
                context.setAttr(PROVEN, subject);
                open.add(context, holds);
                yield unchecked(next, context, request);
            }
        };
    }

    private static HttpResponse unchecked(HttpService next, ServiceRequestContext context, HttpRequest request) {
        try {
            return next.serve(context, request);
        } catch (Exception e) {
            return HttpResponse.ofFailure(e);
        }
    }

    private static HttpResponse refuse(Status.Code code, String reason) {
        return HttpResponse.of(ResponseHeaders.builder(HttpStatus.OK)
                .add(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
                .add("grpc-status", Integer.toString(code.value()))
                .add("grpc-message", reason)
                .endOfStream(true)
                .build());
    }

    /**
     * Puts what was proven into the context of the call.
     *
     * @param leaving whether this server is going away. Then a call that ends takes its connection with it, so that its client comes back
     *     on another, which may lead to another server, and connections do not end all at once
     */
    record Handover(BooleanSupplier leaving) implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            ServiceRequestContext request = ServiceRequestContext.current();
            return Contexts.interceptCall(context(request), new Located<>(call, request, leaving), headers, next);
        }

        /** Knows from where it came, which the server's own does not tell. */
        private static final class Located<Q, A> extends ForwardingServerCall.SimpleForwardingServerCall<Q, A> {
            private final ServiceRequestContext request;
            private final BooleanSupplier leaving;

            Located(ServerCall<Q, A> call, ServiceRequestContext request, BooleanSupplier leaving) {
                super(call);
                this.request = request;
                this.leaving = leaving;
            }

            @Override
            public void close(Status status, Metadata trailers) {
                super.close(status, trailers);
                if (leaving.getAsBoolean()) {
                    var _ = request.initiateConnectionShutdown(GOODBYE);
                }
            }

            @Override
            public Attributes getAttributes() {
                return Attributes.newBuilder()
                        .setAll(super.getAttributes())
                        .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, request.remoteAddress())
                        .build();
            }
        }

        private static Context context(ServiceRequestContext request) {
            if (!request.sessionProtocol().isTls()) {
                return Context.current().withValue(XdsServer.PRINCIPAL, XdsAccess.LOCAL);
            }
            Subject subject = request.attr(PROVEN);
            if (subject == null) {
                throw new IllegalStateException("this service was mounted without authentication");
            }
            Context context = Context.current().withValue(SUBJECT, subject);
            return switch (subject) {
                case Subject.Dataplane(String mesh, String name, String _) ->
                    context.withValue(XdsServer.PRINCIPAL, XdsAccess.principal(new NodeKey(mesh, name)));
                case Subject.Gateway(String namespace, String name) ->
                    context.withValue(XdsServer.PRINCIPAL, XdsAccess.principal(NodeKey.ofGateway(namespace, name)));
                case Subject.ZoneProxy(String name) ->
                    context.withValue(XdsServer.PRINCIPAL, XdsAccess.principal(NodeKey.ofZoneProxy(name)));
                case Subject.Service _, Subject.Zone _, Subject.User _ -> context;
            };
        }
    }
}
