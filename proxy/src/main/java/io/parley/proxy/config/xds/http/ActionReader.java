package io.parley.proxy.config.xds.http;

import com.google.protobuf.Duration;
import com.google.re2j.Pattern;
import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.RouteAction.HashPolicy;
import io.envoyproxy.envoy.config.route.v3.RouteAction.RequestMirrorPolicy;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster.ClusterWeight;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatchAndSubstitute;
import io.parley.proxy.http.Affinity;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Mirror;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.PathRewrite;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Rewrite;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.RouteAction.Redirect.Query;
import io.parley.proxy.http.WeightedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what is done with a request. */
final class ActionReader {
    private static final java.time.Duration DEFAULT_TIMEOUT = java.time.Duration.ofSeconds(15);

    private ActionReader() {}

    static java.time.Duration duration(Duration duration) {
        return java.time.Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
    }

    static RouteAction forward(
            io.envoyproxy.envoy.config.route.v3.RouteAction action,
            PathMatch matched,
            Optional<Affinity> session,
            Problems problems) {
        List<Mirror> mirrors = new ArrayList<>();
        for (int i = 0; i < action.getRequestMirrorPoliciesCount(); i++) {
            RequestMirrorPolicy mirror = action.getRequestMirrorPolicies(i);
            int share = mirror.hasRuntimeFraction()
                    ? Matchers.share(
                            mirror.getRuntimeFraction(),
                            problems.under("request_mirror_policies[" + i + "].runtime_fraction"))
                    : RequestMatch.ALL;
            mirrors.add(new Mirror(mirror.getCluster(), share));
        }
        PathRewrite path = action.hasRegexRewrite()
                ? regex(action.getRegexRewrite(), problems.under("regex_rewrite"))
                : prefix(WireText.path(action.getPrefixRewrite(), problems.under("prefix_rewrite")), matched);
        String host = host(action.getHostRewriteLiteral(), problems.under("host_rewrite_literal"));
        return new RouteAction.Forward(
                clusters(action, problems),
                new Rewrite(path, host),
                action.hasTimeout() ? duration(action.getTimeout()) : DEFAULT_TIMEOUT,
                action.hasIdleTimeout() ? duration(action.getIdleTimeout()) : null,
                action.hasRetryPolicy()
                        ? RetryReader.read(action.getRetryPolicy(), problems.under("retry_policy"))
                        : null,
                mirrors,
                Stream.concat(session.stream(), affinity(action.getHashPolicyList(), problems).stream())
                        .toList());
    }

    private static List<WeightedCluster> clusters(
            io.envoyproxy.envoy.config.route.v3.RouteAction action, Problems problems) {
        return switch (action.getClusterSpecifierCase()) {
            case CLUSTER -> List.of(new WeightedCluster(action.getCluster(), 1, FieldEdits.NONE, FieldEdits.NONE));
            case WEIGHTED_CLUSTERS -> {
                requireTotal(action.getWeightedClusters(), problems.under("weighted_clusters.total_weight"));
                List<WeightedCluster> all = new ArrayList<>();
                for (int i = 0; i < action.getWeightedClusters().getClustersCount(); i++) {
                    all.add(share(
                            action.getWeightedClusters().getClusters(i),
                            problems.under("weighted_clusters.clusters[" + i + "]")));
                }
                yield all;
            }
            case CLUSTER_HEADER,
                    CLUSTER_SPECIFIER_PLUGIN,
                    INLINE_CLUSTER_SPECIFIER_PLUGIN,
                    CLUSTERSPECIFIER_NOT_SET -> {
                problems.add("", action.getClusterSpecifierCase() + " (expected: cluster or weighted_clusters)");
                yield List.of();
            }
        };
    }

    /** Envoy refuses one that is not the sum, and has none any more. */
    @SuppressWarnings("deprecation") // Old control planes write it.
    private static void requireTotal(io.envoyproxy.envoy.config.route.v3.WeightedCluster shares, Problems problems) {
        long sum = shares.getClustersList().stream()
                .mapToLong(share -> Integer.toUnsignedLong(share.getWeight().getValue()))
                .sum();
        long total = Integer.toUnsignedLong(shares.getTotalWeight().getValue());
        if (shares.hasTotalWeight() && total != sum) {
            problems.add("", total + " (expected: the sum of the weights, " + sum + ")");
        }
    }

    private static WeightedCluster share(ClusterWeight share, Problems problems) {
        return new WeightedCluster(
                share.getName(),
                share.getWeight().getValue(),
                FieldReader.read(
                        share.getRequestHeadersToAddList(),
                        share.getRequestHeadersToRemoveList(),
                        problems.under("request_headers_to_add")),
                FieldReader.read(
                        share.getResponseHeadersToAddList(),
                        share.getResponseHeadersToRemoveList(),
                        problems.under("response_headers_to_add")));
    }

    private static PathRewrite prefix(String replacement, PathMatch matched) {
        if (replacement.isEmpty()) {
            return new PathRewrite.None();
        }
        return matched instanceof PathMatch.Segments
                ? new PathRewrite.Segments(replacement)
                : new PathRewrite.Prefix(replacement);
    }

    private static PathRewrite regex(RegexMatchAndSubstitute rewrite, Problems problems) {
        Pattern pattern = Matchers.pattern(rewrite.getPattern().getRegex(), problems.under("pattern.regex"));
        return new PathRewrite.Regex(
                pattern, substitution(rewrite.getSubstitution(), pattern.groupCount(), problems.under("substitution")));
    }

    /** As RE2 has it: a backslash is followed by the number of a group, or by another. */
    private static String substitution(String text, int groups, Problems problems) {
        for (int i = text.indexOf('\\'); i >= 0; i = text.indexOf('\\', i + 2)) {
            char next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
            if (next != '\\' && (next < '0' || next > '0' + Math.min(groups, 9))) {
                problems.add("", text + " (expected: \\0 to \\" + groups + ", or two backslashes for one)");
            }
        }
        return WireText.path(text, problems);
    }

    private static @Nullable String host(String text, Problems problems) {
        return text.isEmpty() ? null : WireText.host(text, problems);
    }

    private static List<Affinity> affinity(List<HashPolicy> policies, Problems problems) {
        List<Affinity> all = new ArrayList<>();
        for (int i = 0; i < policies.size(); i++) {
            HashPolicy policy = policies.get(i);
            Problems here = problems.under("hash_policy[" + i + "]");
            switch (policy.getPolicySpecifierCase()) {
                case HEADER -> all.add(new Affinity.Header(policy.getHeader().getHeaderName()));
                case COOKIE ->
                    all.add(cookie(
                            policy.getCookie().getName(),
                            policy.getCookie().getTtl(),
                            policy.getCookie().getPath(),
                            here.under("cookie")));
                case QUERY_PARAMETER ->
                    all.add(new Affinity.Query(policy.getQueryParameter().getName()));
                case CONNECTION_PROPERTIES -> {
                    if (!policy.getConnectionProperties().getSourceIp()) {
                        here.add("connection_properties.source_ip", "false (expected: true)");
                    }
                    all.add(new Affinity.Source());
                }
                case FILTER_STATE, POLICYSPECIFIER_NOT_SET ->
                    here.add(
                            "",
                            policy.getPolicySpecifierCase()
                                    + " (expected: header, cookie, connection_properties or query_parameter)");
            }
        }
        return all;
    }

    static Affinity.Cookie cookie(String name, Duration life, String path, Problems problems) {
        return new Affinity.Cookie(
                WireText.token(name, problems.under("name")),
                duration(life),
                path.isEmpty() ? "/" : WireText.cookiePath(path, problems.under("path")));
    }

    static RouteAction redirect(RedirectAction redirect, PathMatch matched, Problems problems) {
        int status = switch (redirect.getResponseCode()) {
            case MOVED_PERMANENTLY, UNRECOGNIZED -> 301;
            case FOUND -> 302;
            case SEE_OTHER -> 303;
            case TEMPORARY_REDIRECT -> 307;
            case PERMANENT_REDIRECT -> 308;
        };
        String scheme = redirect.getHttpsRedirect()
                ? "https"
                : redirect.getSchemeRedirect().isEmpty()
                        ? null
                        : WireText.scheme(redirect.getSchemeRedirect(), problems.under("scheme_redirect"));
        PathRewrite path = switch (redirect.getPathRewriteSpecifierCase()) {
            case PATH_REDIRECT ->
                new PathRewrite.Whole(WireText.wholePath(redirect.getPathRedirect(), problems.under("path_redirect")));
            case PREFIX_REWRITE ->
                prefix(WireText.path(redirect.getPrefixRewrite(), problems.under("prefix_rewrite")), matched);
            case REGEX_REWRITE -> regex(redirect.getRegexRewrite(), problems.under("regex_rewrite"));
            case PATHREWRITESPECIFIER_NOT_SET -> new PathRewrite.None();
        };
        return new RouteAction.Redirect(
                status,
                scheme,
                host(redirect.getHostRedirect(), problems.under("host_redirect")),
                redirect.getPortRedirect(),
                path,
                redirect.getStripQuery() ? Query.DROPPED : Query.KEPT);
    }
}
