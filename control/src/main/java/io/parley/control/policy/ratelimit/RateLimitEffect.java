package io.parley.control.policy.ratelimit;

import static io.parley.control.draft.Protos.duration;
import static io.parley.control.draft.Protos.number;

import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import io.envoyproxy.envoy.type.v3.StatusCode;
import io.envoyproxy.envoy.type.v3.TokenBucket;
import io.parley.control.draft.Filters;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.Protos;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.ratelimit.MeshRateLimit;
import io.parley.resource.policy.ratelimit.RateLimits;
import io.parley.resource.policy.ratelimit.RateLimits.Http;
import io.parley.resource.policy.ratelimit.RateLimits.Rate;
import io.parley.resource.policy.ratelimit.RateLimits.Tcp;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Refuses what is more than a proxy may take in; each proxy counts for itself. */
public final class RateLimitEffect implements PolicyEffect<RateLimits> {
    public static final PolicyKind<RateLimits> KIND = PolicyKind.traffic("MeshRateLimit", MeshRateLimit.READER);

    private static final int TOO_MANY = 429;

    @Override
    public PolicyKind<RateLimits> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<RateLimits> matched, ProxyDraft draft) {
        for (InboundDraft inbound : draft.inbounds()) {
            Optional<RateLimits> limits = matched.inbound(inbound.inbound()).conf();
            limits.map(RateLimits::http)
                    .flatMap(http -> filter(http, draft.flavor()))
                    .ifPresent(inbound.httpFilters()::add);
            limits.map(RateLimits::tcp).ifPresent(tcp -> tcp(tcp, inbound));
        }
        if (draft.dataplane().isGateway()) {
            draft.outbounds()
                    .forEach(outbound -> matched.to(outbound.destination())
                            .conf()
                            .map(RateLimits::http)
                            .flatMap(http -> filter(http, draft.flavor()))
                            .ifPresent(outbound.httpFilters()::add));
        }
    }

    private static Optional<HttpFilter> filter(Http http, Flavor flavor) {
        Rate rate = http.requestRate();
        if (rate == null || Boolean.TRUE.equals(http.disabled())) {
            return Optional.empty();
        }
        LocalRateLimit.Builder limit = LocalRateLimit.newBuilder()
                .setStatPrefix("rate_limit")
                .setTokenBucket(bucket(rate))
                .setFilterEnabled(always("local_rate_limit_enabled"))
                .setFilterEnforced(always("local_rate_limit_enforced"));
        RateLimits.Refusal refusal = http.onRateLimit();
        limit.getStatusBuilder().setCodeValue(status(refusal, flavor));
        if (refusal != null && refusal.headers() != null) {
            limit.addAllResponseHeadersToAdd(Protos.headers(refusal.headers()));
        }
        return Optional.of(Filters.http(Filters.HTTP_RATE_LIMIT, limit.build()));
    }

    /** Envoy refuses a number for which it has no word. */
    private static int status(RateLimits.@Nullable Refusal refusal, Flavor flavor) {
        Integer status = refusal == null ? null : refusal.status();
        return status == null || (flavor != Flavor.PARLEY && StatusCode.forNumber(status) == null) ? TOO_MANY : status;
    }

    private static void tcp(Tcp tcp, InboundDraft inbound) {
        Rate rate = tcp.connectionRate();
        if (rate != null && !Boolean.TRUE.equals(tcp.disabled())) {
            inbound.networkFilters()
                    .add(Filters.network(
                            Filters.TCP_RATE_LIMIT,
                            io.envoyproxy.envoy.extensions.filters.network.local_ratelimit.v3.LocalRateLimit
                                    .newBuilder()
                                    .setStatPrefix("tcp_rate_limit")
                                    .setTokenBucket(bucket(rate))
                                    .build()));
        }
    }

    private static TokenBucket bucket(Rate rate) {
        return TokenBucket.newBuilder()
                .setMaxTokens(rate.num())
                .setTokensPerFill(number(rate.num()))
                .setFillInterval(duration(rate.interval()))
                .build();
    }

    private static RuntimeFractionalPercent always(String key) {
        return RuntimeFractionalPercent.newBuilder()
                .setRuntimeKey(key)
                .setDefaultValue(FractionalPercent.newBuilder().setNumerator(100))
                .build();
    }
}
