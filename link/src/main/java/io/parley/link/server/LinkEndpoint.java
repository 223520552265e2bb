package io.parley.link.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.common.websocket.WebSocket;
import com.linecorp.armeria.common.websocket.WebSocketWriter;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.websocket.WebSocketService;
import io.netty.channel.EventLoop;
import io.netty.util.AttributeKey;
import io.parley.agreement.version.Negotiator;
import io.parley.agreement.version.PolicySet;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.link.LinkLimits;
import io.parley.link.auth.Authentication;
import io.parley.link.auth.LinkAuthenticator;
import io.parley.link.auth.LinkCredentials;
import io.parley.wire.wrpc.CloseReason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane's end of all links: an HTTP service to be mounted at {@link #PATH} of a TLS port. A request is checked and
 * authenticated while it is still HTTP; what is upgraded is a node with a name.
 */
public final class LinkEndpoint {
    public static final String PATH = "/v1/wrpc";

    private static final Logger log = LoggerFactory.getLogger(LinkEndpoint.class);
    private static final AttributeKey<LinkSession.Visitor> VISITOR =
            AttributeKey.valueOf(LinkEndpoint.class, "VISITOR");

    private final Settings settings;
    private final LinkAuthenticator authenticator;
    private final LinkSession.Surroundings around;
    private final RandomGenerator random;
    private final OpenLinks links = new OpenLinks();
    private volatile Negotiator negotiator;

    /**
     * How an endpoint behaves.
     *
     * @param controlPlaneId what nodes are told that they talk to
     * @param withdrawalSpread over how long connections are closed when a policy withdraws what they use
     */
    public record Settings(String controlPlaneId, LinkLimits limits, Duration withdrawalSpread) {
        public static Settings of(String controlPlaneId) {
            return new Settings(controlPlaneId, LinkLimits.DEFAULT, Duration.ofSeconds(10));
        }
    }

    /**
     * An endpoint without policies: see {@link #use}.
     *
     * @param services in the order in which versions are preferred
     * @param random spreads what would otherwise happen to all nodes at once; must be safe for use by several threads
     */
    public LinkEndpoint(
            Settings settings,
            LinkAuthenticator authenticator,
            List<ServiceBinding> services,
            LinkListener listener,
            InstantSource time,
            RandomGenerator random) {
        var directory = new ServiceDirectory(services);
        this.settings = settings;
        this.authenticator = authenticator;
        this.random = random;
        this.negotiator = new Negotiator(directory.catalog(), PolicySet.EMPTY);
        this.around = new LinkSession.Surroundings(
                settings.controlPlaneId(), settings.limits(), directory, () -> negotiator, listener, time);
    }

    public HttpService httpService() {
        return WebSocketService.builder(this::accept)
                .subprotocols(UpgradeChecks.SUBPROTOCOL)
                // Nodes prove who they are by key or token, never by a cookie, so the page they come from does not
                // matter.
                .allowedOrigins("*")
                .maxFramePayloadLength(settings.limits().maxFrameBytes())
                .aggregateContinuation(false)
                .build()
                .decorate(this::admit);
    }

    /**
     * Puts policies in force. A node that uses what they withdraw is disconnected within the spread, told why, and negotiates anew
     * when it comes back; nobody else notices.
     */
    public void use(PolicySet policies) {
        Negotiator rules = new Negotiator(negotiator.catalog(), policies);
        negotiator = rules;
        links.all().filter(session -> session.withdrawn(rules).isPresent()).forEach(this::withdrawLater);
    }

    /** What nodes can agree to here. */
    public ServiceCatalog catalog() {
        return negotiator.catalog();
    }

    /** The negotiation of each node that is connected. */
    public List<NegotiationRecord> nodes() {
        return links.all().flatMap(session -> session.agreed().stream()).toList();
    }

    /** Turns out the nodes whose credential does not count any more. May block, if asking for that does. */
    public void review() {
        links.all().forEach(LinkSession::review);
    }

    /** Tells every node to go elsewhere. */
    public void close() {
        var reason = new CloseReason(CloseReason.GOING_AWAY, "control plane is shutting down");
        links.all().forEach(session -> session.peer().close(reason));
    }

    private HttpResponse admit(HttpService next, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        if (ctx.method() == HttpMethod.HEAD) {
            // How a data plane asks, before its first connection, whether wRPC is spoken here.
            return HttpResponse.of(HttpStatus.OK);
        }
        switch (ConnectParameters.parse(ctx.queryParams())) {
            case ConnectParameters.Parsed.Invalid(String reason) -> {
                return UpgradeChecks.refuse(HttpStatus.BAD_REQUEST, reason);
            }
            case ConnectParameters.Parsed.Valid(ConnectParameters parameters) -> {
                if (!UpgradeChecks.offersSubprotocol(request.headers())) {
                    return UpgradeChecks.refuse(
                            HttpStatus.BAD_REQUEST,
                            "Sec-WebSocket-Protocol: expected " + UpgradeChecks.SUBPROTOCOL + " among the offers");
                }
                Optional<LinkCredentials> credentials =
                        UpgradeChecks.credentials(ctx, request.headers(), parameters.nodeId());
                return credentials.isEmpty()
                        ? UpgradeChecks.refuse(HttpStatus.BAD_REQUEST, "plain HTTP (expected: TLS)")
                        : authenticate(next, ctx, parameters, credentials.get());
            }
        }
    }

    private HttpResponse authenticate(
            HttpService next, ServiceRequestContext ctx, ConnectParameters parameters, LinkCredentials credentials) {
        return HttpResponse.of(authenticator
                .authenticate(credentials)
                .thenApplyAsync(
                        verdict -> switch (verdict) {
                            case Authentication.Granted granted -> upgrade(next, ctx, parameters, granted);
                            case Authentication.Unauthenticated(String reason) ->
                                turnAway(HttpStatus.UNAUTHORIZED, parameters, reason);
                            case Authentication.Forbidden(String reason) ->
                                turnAway(HttpStatus.FORBIDDEN, parameters, reason);
                        },
                        ctx.eventLoop()));
    }

    private static HttpResponse turnAway(HttpStatus status, ConnectParameters parameters, String reason) {
        log.info("node {} turned away: {}", parameters.nodeId(), reason);
        return UpgradeChecks.refuse(status, reason);
    }

    private static HttpResponse upgrade(
            HttpService next, ServiceRequestContext ctx, ConnectParameters parameters, Authentication.Granted granted) {
        ctx.setAttr(VISITOR, new LinkSession.Visitor(granted.principal(), granted.ended(), parameters));
        HttpRequest request = UpgradeChecks.withSubprotocolOnly(ctx.request());
        ctx.updateRequest(request);
        try {
            return next.serve(ctx, request);
        } catch (Exception e) {
            return HttpResponse.ofFailure(e);
        }
    }

    private WebSocket accept(ServiceRequestContext ctx, WebSocket in) {
        LinkSession.Visitor visitor = ctx.attr(VISITOR);
        if (visitor == null) {
            throw new IllegalStateException("upgraded without being admitted");
        }
        EventLoop loop = ctx.eventLoop().withoutContext();
        WebSocketWriter out = WebSocket.streaming();
        var wire = new ArmeriaWire(out, ctx, loop);
        var session = new LinkSession(visitor, around, loop, wire);
        links.add(session);
        session.start();
        in.subscribe(new InboundFrames(session, wire, settings.limits()), loop, SubscriptionOption.WITH_POOLED_OBJECTS);
        return out;
    }

    /** By the rules that are in force then: a policy that is taken back in time cuts nobody. */
    private void withdrawLater(LinkSession session) {
        long spread = Math.max(1, settings.withdrawalSpread().toMillis());
        var _ = session.peer()
                .loop()
                .schedule(() -> session.withdrawBy(negotiator), random.nextLong(spread), TimeUnit.MILLISECONDS);
    }
}
