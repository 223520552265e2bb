package io.parley.proxy.config.xds.http;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.extensions.filters.http.buffer.v3.Buffer;
import io.envoyproxy.envoy.extensions.filters.http.cors.v3.CorsPolicy;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.Cors;
import io.parley.proxy.http.Fault;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RateLimit;
import io.parley.proxy.http.TextMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a request must pass, from the filters of a listener or of a route. */
final class PolicyReader {
    private static final int TOO_MANY = 429;

    private @Nullable List<Fault> faults;
    private @Nullable RateLimit rateLimit;
    private final Map<String, List<AccessRules>> access = new LinkedHashMap<>();
    private @Nullable Cors cors;
    private long maxBody;

    static Policies perRoute(Map<String, Any> filters, Problems problems) {
        PolicyReader reader = new PolicyReader();
        filters.forEach((name, config) -> {
            Problems here = problems.under("typed_per_filter_config[" + name + "]");
            reader.add(name, config, here);
            if (reader.maxBody > 0) {
                here.add("max_request_bytes", "for a route (expected: for a listener)");
                reader.maxBody = 0;
            }
        });
        return reader.policies();
    }

    /** How large a body may be; 0 for any size. */
    long maxBody() {
        return maxBody;
    }

    Policies policies() {
        return new Policies(faults, rateLimit, access, cors);
    }

    /** Takes one filter; what is none that this proxy knows is a problem. */
    void add(String name, Any config, Problems problems) {
        String type = config.getTypeUrl().substring(config.getTypeUrl().lastIndexOf('.') + 1);
        try {
            switch (type) {
                case "HTTPFault" -> faults = with(faults, fault(config.unpack(HTTPFault.class), problems));
                case "LocalRateLimit" -> {
                    requireFirst(rateLimit == null, "local_ratelimit", problems);
                    rateLimit = rateLimit(config.unpack(LocalRateLimit.class), problems);
                }
                case "RBAC" -> rules(name, config.unpack(RBAC.class), problems);
                case "RBACPerRoute" ->
                    rules(name, config.unpack(RBACPerRoute.class).getRbac(), problems);
                case "CorsPolicy" -> {
                    requireFirst(cors == null, "cors", problems);
                    cors = cors(config.unpack(CorsPolicy.class), problems);
                }
                case "Buffer" -> {
                    requireFirst(maxBody == 0, "buffer", problems);
                    limit(config.unpack(Buffer.class), problems);
                }
                case "StatefulSession" -> requireNoState(config.unpack(StatefulSession.class), problems);
                case "Cors", "Router", "StatefulSessionPerRoute" -> {}
                default ->
                    problems.add(
                            "",
                            config.getTypeUrl()
                                    + " (expected: fault, local_ratelimit, rbac, cors, buffer, stateful_session or"
                                    + " router)");
            }
        } catch (InvalidProtocolBufferException e) {
            problems.add("", "unreadable: " + e.getMessage());
        }
    }

    /** There is one place for what it says, in which the last would count and the others be forgotten. */
    private static void requireFirst(boolean first, String filter, Problems problems) {
        if (!first) {
            problems.add("", "another " + filter + " (expected: one)");
        }
    }

    /** The filter makes way for the sessions of routes, which say themselves how they are kept. */
    private static void requireNoState(StatefulSession filter, Problems problems) {
        if (filter.hasSessionState()) {
            problems.add("session_state", "set (expected: only in typed_per_filter_config of a route)");
        }
    }

    /** Nothing is gathered before it is sent on, as Envoy does: what is too large is seen when it comes. */
    private void limit(Buffer filter, Problems problems) {
        int most = filter.getMaxRequestBytes().getValue();
        if (most == 0) {
            problems.add("max_request_bytes", "0 (expected: 1 or more)");
        }
        maxBody = Integer.toUnsignedLong(most);
    }

    private static <T> List<T> with(@Nullable List<T> before, T more) {
        List<T> all = before == null ? new ArrayList<>() : new ArrayList<>(before);
        all.add(more);
        return all;
    }

    private static Fault fault(HTTPFault filter, Problems problems) {
        List<FieldMatch> fields = new ArrayList<>();
        filter.getHeadersList().forEach(header -> fields.add(Matchers.header(header, problems.under("headers"))));
        Fault.Delay delay = filter.hasDelay()
                ? new Fault.Delay(
                        ActionReader.duration(filter.getDelay().getFixedDelay()),
                        Matchers.perMillion(filter.getDelay().getPercentage()))
                : null;
        Fault.Abort abort = null;
        if (filter.hasAbort()) {
            var told = filter.getAbort();
            int status = told.hasGrpcStatus() ? httpStatus(told.getGrpcStatus()) : told.getHttpStatus();
            abort = new Fault.Abort(
                    WireText.status(status, problems.under("abort.http_status")),
                    told.hasGrpcStatus() ? told.getGrpcStatus() : null,
                    Matchers.perMillion(told.getPercentage()));
        }
        return new Fault(fields, delay, abort, bandwidth(filter, problems));
    }

    private static Fault.@Nullable Bandwidth bandwidth(HTTPFault filter, Problems problems) {
        if (!filter.hasResponseRateLimit()) {
            return null;
        }
        var told = filter.getResponseRateLimit();
        long kibibytes = told.getFixedLimit().getLimitKbps();
        if (kibibytes < 1) {
            problems.add("response_rate_limit.fixed_limit.limit_kbps", kibibytes + " (expected: 1 or more)");
        }
        return new Fault.Bandwidth(Math.max(1, kibibytes) * 1_024, Matchers.perMillion(told.getPercentage()));
    }

    /** What a client that does not speak gRPC is told instead, by the table of google.rpc.Code. */
    private static int httpStatus(int grpcStatus) {
        return switch (grpcStatus) {
            case 0 -> 200;
            case 1 -> 499;
            case 3, 9, 11 -> 400;
            case 4 -> 504;
            case 5 -> 404;
            case 6, 10 -> 409;
            case 7 -> 403;
            case 8 -> 429;
            case 12 -> 501;
            case 14 -> 503;
            case 16 -> 401;
            default -> 500;
        };
    }

    /** Without filter_enabled and filter_enforced it holds for all requests: whoever writes a limit wants one. */
    private static RateLimit rateLimit(LocalRateLimit filter, Problems problems) {
        if (filter.hasFilterEnabled()) {
            Matchers.requireAll(filter.getFilterEnabled(), problems.under("filter_enabled"));
        }
        if (filter.hasFilterEnforced()) {
            Matchers.requireAll(filter.getFilterEnforced(), problems.under("filter_enforced"));
        }
        var bucket = filter.getTokenBucket();
        long refill = bucket.hasTokensPerFill()
                ? Integer.toUnsignedLong(bucket.getTokensPerFill().getValue())
                : 1;
        // Who writes more than that wants no limit.
        int most = (int) Math.min(Integer.MAX_VALUE, Integer.toUnsignedLong(bucket.getMaxTokens()));
        Duration interval = ActionReader.duration(bucket.getFillInterval());
        if (refill < 1 || interval.isZero() || interval.isNegative()) {
            problems.add("token_bucket", "never filled (expected: tokens_per_fill and fill_interval above zero)");
            return new RateLimit(0, Duration.ofSeconds(1), TOO_MANY, FieldEdits.NONE);
        }
        int status = filter.hasStatus() ? filter.getStatus().getCodeValue() : TOO_MANY;
        return new RateLimit(
                most,
                interval.multipliedBy(most).dividedBy(refill),
                status < 400 ? TOO_MANY : WireText.status(status, problems.under("status.code")),
                FieldReader.read(
                        filter.getResponseHeadersToAddList(), List.of(), problems.under("response_headers_to_add")));
    }

    /** Without any rules it stands for nothing but that the filter of this name does not count. */
    private void rules(String name, RBAC filter, Problems problems) {
        List<AccessRules> all = access.computeIfAbsent(name, _ -> new ArrayList<>());
        if (filter.hasRules()) {
            all.add(AccessReader.read(filter.getRules(), AccessRules.Mode.ENFORCED, problems.under("rules")));
        }
        if (filter.hasShadowRules()) {
            all.add(AccessReader.read(
                    filter.getShadowRules(), AccessRules.Mode.SHADOW, problems.under("shadow_rules")));
        }
    }

    private static Cors cors(CorsPolicy policy, Problems problems) {
        if (policy.hasFilterEnabled()) {
            Matchers.requireAll(policy.getFilterEnabled(), problems.under("filter_enabled"));
        }
        List<TextMatch> origins = new ArrayList<>();
        policy.getAllowOriginStringMatchList()
                .forEach(origin -> origins.add(Matchers.text(origin, problems.under("allow_origin_string_match"))));
        return new Cors(
                origins,
                words(policy.getAllowMethods(), problems.under("allow_methods")),
                words(policy.getAllowHeaders(), problems.under("allow_headers")),
                words(policy.getExposeHeaders(), problems.under("expose_headers")),
                policy.getMaxAge().isEmpty() ? null : Duration.ofSeconds(seconds(policy.getMaxAge(), problems)),
                policy.getAllowCredentials().getValue() ? Cors.Credentials.ALLOWED : Cors.Credentials.REFUSED);
    }

    private static long seconds(String text, Problems problems) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            problems.add("max_age", text + " (expected: seconds)");
            return 0;
        }
    }

    private static List<String> words(String text, Problems problems) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .map(item -> WireText.token(item, problems))
                .toList();
    }
}
