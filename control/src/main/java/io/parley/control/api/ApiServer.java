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
import io.parley.control.keys.SigningKeys;
import io.parley.identity.token.TokenIssuer;
import io.parley.identity.token.TokenVerifier;
import io.parley.resource.text.Limits;
import io.parley.store.ResourceStore;
import io.parley.sync.admin.Answer;
import io.parley.sync.admin.Question;
import io.parley.sync.zone.LinkState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** The REST API put together: every path, and what a request passes through before it gets there. */
public final class ApiServer {
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);
    private static final int HEADER_BYTES = 60 * 1024;

    /**
     * What the API is built on.
     *
     * @param realms by tenant; that of the operators has no name
     * @param links to a global control plane, if this is a zone's
     */
    public record Parts(
            Place place,
            TokenIssuer issuer,
            TokenVerifier verifier,
            SigningKeys keys,
            ServiceCatalog services,
            Map<String, Realm> realms,
            Supplier<List<LinkState>> links,
            PrometheusMeterRegistry metrics,
            BooleanSupplier ready,
            Executor blocking) {}

    /** What a tenant has. */
    public record Realm(
            ResourceStore store,
            Revocations revocations,
            Explainer explainer,
            Gateways gateways,
            Answer.Source proxies) {}

    /** Who answers in a realm. */
    private record Endpoints(
            ResourceEndpoint resources,
            TokenEndpoint tokens,
            VersionPreviewEndpoint preview,
            ExplainEndpoint explain,
            BackendEndpoint backends,
            ProxyEndpoint proxies) {}

    private final Parts parts;
    private final Authentication authentication;
    private final Map<String, Endpoints> realms = new HashMap<>();

    public ApiServer(Parts parts) {
        this.parts = parts;
        Set<String> tenants = Set.copyOf(parts.realms().keySet());
        this.authentication = new Authentication(parts.verifier(), tenants, parts.metrics(), parts.blocking());
        parts.realms().forEach((tenant, realm) -> realms.put(tenant, endpoints(tenant, realm)));
    }

    private Endpoints endpoints(String tenant, Realm realm) {
        return new Endpoints(
                new ResourceEndpoint(realm.store(), new Admission(realm.store(), parts.place())),
                new TokenEndpoint(tenant, named(), parts.issuer(), parts.verifier(), realm.revocations()),
                new VersionPreviewEndpoint(realm.store(), parts.services()),
                new ExplainEndpoint(realm.explainer()),
                new BackendEndpoint(realm.gateways()),
                new ProxyEndpoint(realm.proxies()));
    }

    private SortedSet<String> named() {
        SortedSet<String> names = new TreeSet<>(parts.realms().keySet());
        names.remove("");
        return names;
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
        addProxies(server);
        server.service(Route.builder().pathPrefix("/").build(), inRealm(each -> each.resources()::handle));
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
                                "groups", Authentication.caller(context).groups(),
                                "tenant", Authentication.caller(context).tenant()))));
    }

    private void addTokens(ServerBuilder server) {
        server.route().post("/tokens/user").build(inRealm(each -> each.tokens()::user));
        server.route().post("/tokens/dataplane").build(inRealm(each -> each.tokens()::dataplane));
        server.route().post("/tokens/gateway").build(inRealm(each -> each.tokens()::gateway));
        server.route().post("/tokens/zone-proxy").build(inRealm(each -> each.tokens()::zoneProxy));
        server.route().post("/tokens/zone").build(inRealm(each -> each.tokens()::zone));
        server.route().post("/tokens/revocations").build(inRealm(each -> each.tokens()::revoke));
        KeyEndpoint keys = new KeyEndpoint(parts.keys());
        server.route().get("/tokens/keys").build(authenticated(keys::list));
        server.route().post("/tokens/keys").build(authenticated(keys::replace));
        server.route().delete("/tokens/keys/{id}").build(authenticated(keys::retire));
    }

    private void addPreview(ServerBuilder server) {
        server.route().post("/versions/preview").build(inRealm(each -> each.preview()::handle));
    }

    private void addExplanations(ServerBuilder server) {
        server.route().get("/meshes/{mesh}/explain/connection").build(inRealm(each -> each.explain()::connection));
        server.route().get("/meshes/{mesh}/explain/policy").build(inRealm(each -> each.explain()::policy));
        server.route().get("/explain/backend").build(inRealm(each -> each.backends()::backend));
        server.route()
                .get("/inspect/links")
                .build(authenticated(new LinksEndpoint(parts.place(), parts.links())::handle));
        server.route().get("/inspect/gateways").build(inRealm(each -> each.backends()::gateways));
        server.route().get("/inspect/meshes").build(inRealm(each -> each.explain()::meshes));
        server.route().get("/meshes/{mesh}/inspect/services").build(inRealm(each -> each.explain()::services));
        server.route().get("/meshes/{mesh}/inspect/names").build(inRealm(each -> each.explain()::names));
        server.route().get("/meshes/{mesh}/inspect/policies").build(inRealm(each -> each.explain()::policies));
    }

    private void addProxies(ServerBuilder server) {
        String proxy = "/meshes/{mesh}/dataplanes/{name}/";
        server.route()
                .get(proxy + "_config")
                .build(inRealm(each -> each.proxies().about(Question.Topic.CONFIG)));
        server.route()
                .get(proxy + "clusters")
                .build(inRealm(each -> each.proxies().about(Question.Topic.CLUSTERS)));
        server.route().get(proxy + "stats").build(inRealm(each -> each.proxies().about(Question.Topic.STATS)));
    }

    /** In the realm of whoever calls: nothing else can be reached. */
    private HttpService inRealm(Function<Endpoints, BlockingService.Handler> endpoint) {
        return authenticated((context, request) -> {
            Endpoints here = Objects.requireNonNull(
                    realms.get(Authentication.caller(context).tenant()));
            return endpoint.apply(here).handle(context, request);
        });
    }

    private HttpService authenticated(BlockingService.Handler handler) {
        return new BlockingService(handler, parts.blocking(), READ_TIMEOUT).decorate(authentication);
    }
}
