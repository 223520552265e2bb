package io.parley.control.policy.retry;

import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.draft.RouteDraft;
import io.parley.control.model.Protocol;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.retry.MeshRetry;
import io.parley.resource.policy.retry.Retries;
import java.util.Optional;

/** Tries again what is sent: connections as often as {@code tcp} says, requests as {@code http} or {@code grpc} says. */
public final class RetryEffect implements PolicyEffect<Retries> {
    public static final PolicyKind<Retries> KIND = PolicyKind.traffic("MeshRetry", MeshRetry.READER);

    @Override
    public PolicyKind<Retries> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<Retries> matched, ProxyDraft draft) {
        for (OutboundDraft outbound : draft.outbounds()) {
            Optional<Retries> retries = matched.to(outbound.destination()).conf();
            retries.map(Retries::maxConnectAttempts)
                    .ifPresent(attempts -> outbound.tcp().setMaxConnectAttempts(number(attempts)));
            for (RouteDraft route : outbound.routes()) {
                String policy = route.policy();
                Optional<Retries> ofRoute = policy == null
                        ? retries
                        : matched.to(outbound.destination(), policy).conf();
                ofRoute.flatMap(conf -> policy(conf, outbound.protocol().value()))
                        .filter(_ -> route.route().hasRoute())
                        .ifPresent(retry -> route.route().getRouteBuilder().setRetryPolicy(retry));
            }
        }
    }

    private static Optional<RetryPolicy> policy(Retries retries, Protocol protocol) {
        return protocol == Protocol.GRPC
                ? Optional.ofNullable(retries.grpc()).map(RetryPolicies::grpc)
                : Optional.ofNullable(retries.http()).map(RetryPolicies::http);
    }
}
