package io.parley.control.serve;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpServiceWithRoutes;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServiceOptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * gRPC services that are built when the first call comes. Armeria's builder generates classes that write errors as JSON, which none of
 * our services does, and that takes a fifth of a control plane's start.
 */
final class GrpcOnDemand implements HttpServiceWithRoutes {
    /**
     * Without a delay a call whose client has not ended its half is reset ({@code CANCEL}) right behind its status, and gRPC's C core
     * (Python, C++, Ruby) reports the reset instead. RFC 9113 8.1 knows only {@code NO_ERROR} there. Within this time clients end or
     * reset the call themselves.
     */
    private static final ServiceOptions STATUS_BEFORE_RESET = ServiceOptions.builder()
            .closeHttp2StreamDelayMillis(Duration.ofSeconds(3).toMillis())
            .build();

    private final Set<Route> routes;
    private final Supplier<HttpService> builder;
    private volatile @Nullable HttpService built;

    GrpcOnDemand(Collection<ServerServiceDefinition> definitions, Supplier<HttpService> builder) {
        this.routes = definitions.stream()
                .flatMap(definition -> definition.getMethods().stream())
                .map(method -> Route.builder()
                        .exact("/" + method.getMethodDescriptor().getFullMethodName())
                        .build())
                .collect(Collectors.toUnmodifiableSet());
        this.builder = builder;
    }

    @Override
    public Set<Route> routes() {
        return routes;
    }

    @Override
    public ServiceOptions options() {
        return STATUS_BEFORE_RESET;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
        HttpService service = built;
        if (service != null) {
            return service.serve(context, request);
        }
        return HttpResponse.of(CompletableFuture.supplyAsync(this::build, context.blockingTaskExecutor())
                .thenApplyAsync(first -> serve(first, context, request), context.eventLoop()));
    }

    /** Two first calls at once may build two services: they keep nothing that the other would miss. */
    private HttpService build() {
        HttpService service = builder.get();
        built = service;
        return service;
    }

    private static HttpResponse serve(HttpService service, ServiceRequestContext context, HttpRequest request) {
        try {
            return service.serve(context, request);
        } catch (Exception e) {
            return HttpResponse.ofFailure(e);
        }
    }
}
