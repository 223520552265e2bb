package io.parley.control.serve;

import io.parley.control.identity.AuthorityException;
import io.parley.control.identity.MeshTrust;
import io.parley.control.identity.TrustRollout;
import io.parley.control.node.Dataplanes;
import io.parley.control.node.NodeKey;
import io.parley.identity.certificate.SpiffeId;
import io.parley.identity.token.Subject;
import io.parley.link.auth.Authentication;
import io.parley.link.auth.LinkAuthenticator;
import io.parley.link.auth.LinkCredentials;
import io.parley.link.auth.MeshCertificateAuthenticator;
import io.parley.link.auth.NodePrincipal;
import io.parley.link.auth.SharedCertificateAuthenticator;
import io.parley.link.auth.TokenAuthenticator;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets data planes in: by the token of exactly this data plane or of its service, or by a certificate of its mesh that has the names of all services that
 * its resource says it is.
 */
public final class LinkAccess {
    /** Of data planes that share a certificate, which names none. */
    private static final String SHARED_MESH = "default";

    /** Certificates name a service of a mesh and no tenant. */
    private static final String NO_TENANT = "";

    private final NodeTokens tokens;
    private final TrustRollout trust;
    private final Dataplanes dataplanes;
    private final InstantSource time;
    private final Executor blocking;

    public LinkAccess(
            NodeTokens tokens, TrustRollout trust, Dataplanes dataplanes, InstantSource time, Executor blocking) {
        this.tokens = tokens;
        this.trust = trust;
        this.dataplanes = dataplanes;
        this.time = time;
        this.blocking = blocking;
    }

    /**
     * Who may come in.
     *
     * @param shared the certificate of data planes that have none of their own; null if there are none
     */
    public LinkAuthenticator authenticator(@Nullable X509Certificate shared) {
        TokenAuthenticator byToken = new TokenAuthenticator(this::byToken);
        return shared == null
                ? LinkAuthenticator.anyOf(byToken, this::byCertificate)
                : LinkAuthenticator.anyOf(byToken, byShared(shared), this::byCertificate);
    }

    /** All who have the key are the same to TLS; which one it is can only be taken from what it says. */
    private LinkAuthenticator byShared(X509Certificate certificate) {
        var authenticator = new SharedCertificateAuthenticator(certificate, time);
        return credentials -> authenticator
                .authenticate(credentials)
                .thenApplyAsync(
                        verdict -> verdict instanceof Authentication.Granted
                                ? new Authentication.Granted(
                                        principal(new NodeKey(SHARED_MESH, credentials.nodeId()), NO_TENANT))
                                : verdict,
                        blocking);
    }

    private CompletableFuture<Authentication> byToken(String token, LinkCredentials credentials) {
        return tokens.verify(token)
                .thenApplyAsync(
                        proof -> switch (proof) {
                            case NodeTokens.Proof.Of(
                                    Subject.Dataplane(String mesh, String name, String tenant),
                                    var holds) -> named(new NodeKey(mesh, name), tenant, credentials, holds);
                            case NodeTokens.Proof.Of(Subject.Service service, var holds) ->
                                ofService(service, credentials, holds);
                            case NodeTokens.Proof.Of(Subject.Gateway(String namespace, String name), var holds) ->
                                named(NodeKey.ofGateway(namespace, name), NO_TENANT, credentials, holds);
                            case NodeTokens.Proof.Of(Subject.ZoneProxy(String name), var holds) ->
                                named(NodeKey.ofZoneProxy(name), NO_TENANT, credentials, holds);
                            case NodeTokens.Proof.Of(Subject other, var _) ->
                                new Authentication.Forbidden(
                                        "the token is for " + other.name() + ", which is no data plane or gateway");
                            case NodeTokens.Proof.None(String reason) -> new Authentication.Unauthenticated(reason);
                        },
                        blocking);
    }

    private Authentication named(NodeKey node, String tenant, LinkCredentials credentials, BooleanSupplier holds) {
        if (!credentials.nodeId().equals(node.name())) {
            return new Authentication.Forbidden("node_id: " + credentials.nodeId() + " (expected: " + node.name()
                    + ", for which the token was issued)");
        }
        return new Authentication.Granted(principal(node, tenant), whileItHolds(holds));
    }

    /**
     * Whoever has the token may take the place of any data plane of the service, and of none that is of others too: what it is given is in
     * the names of all of them.
     */
    private Authentication ofService(Subject.Service token, LinkCredentials credentials, BooleanSupplier holds) {
        NodeKey node = new NodeKey(token.mesh(), credentials.nodeId());
        Set<String> services = dataplanes.services(node);
        Set<String> proven = Set.of(token.name());
        if (!ServiceHold.covers(proven, services)) {
            String found = services.isEmpty()
                    ? "there is no " + node.resource()
                    : node.resource() + " is of " + String.join(", ", new TreeSet<>(services));
            return new Authentication.Forbidden("node_id: " + node.name() + ", and " + found
                    + " (expected: a Dataplane of service " + token.name() + ", for which the token was issued)");
        }
        return granted(node, token.tenant(), proven, whileItHolds(holds));
    }

    /** For as long as the data plane is of no other services. */
    private Authentication.Granted granted(
            NodeKey node, String tenant, Set<String> proven, Supplier<Optional<String>> credential) {
        return new Authentication.Granted(
                new NodePrincipal(node.name(), node.mesh(), tenant, dataplanes.labels(node), proven),
                new ServiceHold(dataplanes, node, proven, credential, time));
    }

    private static Supplier<Optional<String>> whileItHolds(BooleanSupplier token) {
        return () -> token.getAsBoolean() ? Optional.empty() : Optional.of("the token was withdrawn");
    }

    private CompletableFuture<Authentication> byCertificate(LinkCredentials credentials) {
        List<SpiffeId> claimed = credentials.certificates().stream()
                .findFirst()
                .map(LinkAccess::names)
                .orElse(List.of());
        if (claimed.isEmpty()) {
            return CompletableFuture.completedFuture(new Authentication.Unauthenticated(
                    "no client certificate of a mesh (expected: one, or Authorization: Bearer with a data"
                            + " plane token)"));
        }
        return CompletableFuture.supplyAsync(() -> judge(credentials, claimed), blocking);
    }

    private Authentication judge(LinkCredentials credentials, List<SpiffeId> claimed) {
        NodeKey node = new NodeKey(claimed.getFirst().trustDomain(), credentials.nodeId());
        Set<String> proven = claimed.stream().map(SpiffeId::service).collect(Collectors.toUnmodifiableSet());
        // What it is given here is in all of its names, so it must have had them all before.
        boolean own = ServiceHold.covers(proven, dataplanes.services(node));
        var certificates = new MeshCertificateAuthenticator(
                () -> trusted(node.mesh()),
                time,
                _ -> own ? Optional.of(NodePrincipal.named(node.name())) : Optional.empty());
        Authentication verdict = certificates.authenticate(credentials).join();
        return verdict instanceof Authentication.Granted ? granted(node, NO_TENANT, proven, Optional::empty) : verdict;
    }

    private List<X509Certificate> trusted(String mesh) {
        try {
            return trust.of(mesh).map(MeshTrust::trusted).orElse(List.of());
        } catch (AuthorityException e) {
            return List.of();
        }
    }

    private NodePrincipal principal(NodeKey node, String tenant) {
        return new NodePrincipal(node.name(), node.mesh(), tenant, dataplanes.labels(node));
    }

    /** What a certificate says; nothing is proven yet. */
    private static List<SpiffeId> names(X509Certificate certificate) {
        try {
            return SpiffeId.allIn(certificate);
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }
}
