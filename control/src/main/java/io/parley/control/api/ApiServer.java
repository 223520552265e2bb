package io.parley.control.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServerBuilder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.control.access.Place;
import io.parley.control.admission.Admission;
import io.parley.control.explain.Explainer;
import io.parley.control.gateway.Gateways;
import io.parley.control.keys.Revocations;
import io.parley.identity.token.TokenIssuer;
import io.parley.identity.token.TokenVerifier;
import io.parley.resource.text.Limits;
import io.parley.store.ResourceStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** The REST API put together: every path, and what a request passes through before it gets there. */
public final class ApiServer {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);
    private static final int HEADER_BYTES = 60 * 1024;

    /** What the API is built on. */
    public record Parts(
            ResourceStore store,
            Place place,
            TokenIssuer issuer,
            TokenVerifier verifier,
            Revocations revocations,
            ServiceCatalog services,
            Explainer explainer,
            Gateways gateways,
            PrometheusMeterRegistry metrics,
            BooleanSupplier ready,
            Executor blocking) {}

    private final Parts parts;
    private final Authentication authentication;

    public ApiServer(Parts parts) {
        this.parts = parts;
        this.authentication = new Authentication(parts.verifier(), parts.blocking());
    }

    /**
     * Mounts the API.
     *
     * @param names the names under which this server may be called
     */
    public void addTo(ServerBuilder server, Set<String> names) {
        server.maxRequestLength(Limits.BYTES)
                .requestTimeout(REQUEST_TIMEOUT)
                .idleTimeout(IDLE_TIMEOUT)
                .http1MaxHeaderSize(HEADER_BYTES)
                .meterRegistry(parts.metrics())
                .errorHandler(new ErrorAnswers());
        addOpenPaths(server);
        addDescriptions(server);
        addTokens(server);
        addPreview(server);
        addExplanations(server);
        ResourceEndpoint resources = new ResourceEndpoint(parts.store(), new Admission(parts.store(), parts.place()));
        server.service(Route.builder().pathPrefix("/").build(), authenticated(resources::handle));
        server.decorator(new HostCheck(names));
    }

    /** What tools must reach before anybody can have a token. */
    private void addOpenPaths(ServerBuilder server) {
        server.service("/healthy", (_, _) -> HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, "healthy\n"));
        server.service(
                "/ready",
                (_, _) -> parts.ready().getAsBoolean()
                        ? HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, "ready\n")
                        : HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE, MediaType.PLAIN_TEXT_UTF_8, "starting\n"));
        server.service(
                "/metrics",
                (_, _) -> HttpResponse.of(
                        HttpStatus.OK,
                        MediaType.PLAIN_TEXT_UTF_8,
                        parts.metrics().scrape()));
    }

    private void addDescriptions(ServerBuilder server) {
        server.service("/api", authenticated((_, _) -> Json.answer(HttpStatus.OK, KindList.document())));
        server.service("/openapi.json", (_, _) -> Json.answer(HttpStatus.OK, OpenApi.document()));
        server.service(
                "/who-am-i",
                authenticated((context, _) -> Json.answer(
                        HttpStatus.OK,
                        Map.of(
                                "name", Authentication.caller(context).name(),
                                "groups", Authentication.caller(context).groups()))));
    }

    private void addTokens(ServerBuilder server) {
        TokenEndpoint tokens = new TokenEndpoint(parts.issuer(), parts.revocations());
        server.route().post("/tokens/user").build(authenticated(tokens::user));
        server.route().post("/tokens/dataplane").build(authenticated(tokens::dataplane));
        server.route().post("/tokens/gateway").build(authenticated(tokens::gateway));
        server.route().post("/tokens/zone").build(authenticated(tokens::zone));
        server.route().post("/tokens/revocations").build(authenticated(tokens::revoke));
    }

    private void addPreview(ServerBuilder server) {
        var preview = new VersionPreviewEndpoint(parts.store(), parts.services());
        server.route().post("/versions/preview").build(authenticated(preview::handle));
    }

    private void addExplanations(ServerBuilder server) {
        var explain = new ExplainEndpoint(parts.explainer());
        server.route().get("/meshes/{mesh}/explain/connection").build(authenticated(explain::connection));
        server.route().get("/meshes/{mesh}/explain/policy").build(authenticated(explain::policy));
        server.route().get("/explain/backend").build(authenticated(new BackendEndpoint(parts.gateways())::backend));
        server.route().get("/inspect/meshes").build(authenticated(explain::meshes));
        server.route().get("/meshes/{mesh}/inspect/services").build(authenticated(explain::services));
        server.route().get("/meshes/{mesh}/inspect/policies").build(authenticated(explain::policies));
    }

    private HttpService authenticated(BlockingService.Handler handler) {
        return new BlockingService(handler, parts.blocking()).decorate(authentication);
    }
}
