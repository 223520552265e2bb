package io.parley.proxy.config.xds.http;

import com.google.re2j.Pattern;
import io.envoyproxy.envoy.config.core.v3.RuntimeFractionalPercent;
import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.FieldMatch.Sense;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.TextMatch;
import io.parley.resource.read.Regexes;
import java.util.ArrayList;
import java.util.List;

/** Reads conditions. */
final class Matchers {
    private static final int MILLION = 1_000_000;
    private static final Pattern NOTHING = Pattern.compile("[^\\x00-\\x{10FFFF}]");

    private Matchers() {}

    static RequestMatch request(RouteMatch match, Problems problems) {
        List<FieldMatch> fields = new ArrayList<>();
        for (int i = 0; i < match.getHeadersCount(); i++) {
            fields.add(header(match.getHeaders(i), problems.under("headers[" + i + "]")));
        }
        if (match.hasGrpc()) {
            fields.add(FieldMatch.header("content-type", TextMatch.MediaType.GRPC, Sense.IS));
        }
        List<FieldMatch> query = new ArrayList<>();
        for (int i = 0; i < match.getQueryParametersCount(); i++) {
            query.add(parameter(match.getQueryParameters(i), problems.under("query_parameters[" + i + "]")));
        }
        if (match.hasCaseSensitive() && !match.getCaseSensitive().getValue()) {
            problems.add("case_sensitive", "false (expected: true, paths are matched letter by letter)");
        }
        int share = match.hasRuntimeFraction()
                ? share(match.getRuntimeFraction(), problems.under("runtime_fraction"))
                : RequestMatch.ALL;
        return new RequestMatch(path(match, problems), null, fields, query, share);
    }

    private static PathMatch path(RouteMatch match, Problems problems) {
        return switch (match.getPathSpecifierCase()) {
            case PREFIX -> new PathMatch.Prefix(match.getPrefix());
            case PATH -> new PathMatch.Exact(match.getPath());
            case PATH_SEPARATED_PREFIX -> new PathMatch.Segments(match.getPathSeparatedPrefix());
            case SAFE_REGEX ->
                new PathMatch.Regex(pattern(match.getSafeRegex().getRegex(), problems.under("safe_regex.regex")));
            case CONNECT_MATCHER, PATH_MATCH_POLICY, PATHSPECIFIER_NOT_SET -> {
                problems.add("", "no path (expected: prefix, path, path_separated_prefix or safe_regex)");
                yield new PathMatch.Prefix("/");
            }
        };
    }

    static Pattern pattern(String regex, Problems problems) {
        String fault = Regexes.fault(regex);
        if (fault != null) {
            problems.add("", regex + " (expected: " + fault + ")");
            return NOTHING;
        }
        return Pattern.compile(regex);
    }

    static int share(RuntimeFractionalPercent fraction, Problems problems) {
        if (!fraction.getRuntimeKey().isEmpty()) {
            problems.add("runtime_key", fraction.getRuntimeKey() + " (expected: none, as there is no runtime)");
        }
        return perMillion(fraction.getDefaultValue());
    }

    /** For what is done always or not at all. Its key is nobody's: what it stands for cannot be changed here. */
    static void requireAll(RuntimeFractionalPercent fraction, Problems problems) {
        int share = perMillion(fraction.getDefaultValue());
        if (share != MILLION) {
            problems.add("default_value", share + " of " + MILLION + " (expected: 100 %)");
        }
    }

    static int perMillion(FractionalPercent fraction) {
        long all = switch (fraction.getDenominator()) {
            case TEN_THOUSAND -> 10_000;
            case MILLION -> MILLION;
            case HUNDRED, UNRECOGNIZED -> 100;
        };
        return (int) Math.min(MILLION, fraction.getNumerator() * (MILLION / all));
    }

    @SuppressWarnings("deprecation") // Old control planes write the old fields.
    static FieldMatch header(HeaderMatcher header, Problems problems) {
        // A field that is missing has no other value either, unless it is to be taken for an empty one.
        Sense inverted = header.getTreatMissingHeaderAsEmpty() ? Sense.IS_NOT : Sense.IS_OTHER;
        Sense sense = header.getInvertMatch() ? inverted : Sense.IS;
        TextMatch match = switch (header.getHeaderMatchSpecifierCase()) {
            case STRING_MATCH -> text(header.getStringMatch(), problems.under("string_match"));
            case EXACT_MATCH -> new TextMatch.Exact(header.getExactMatch());
            case PREFIX_MATCH -> new TextMatch.Prefix(header.getPrefixMatch());
            case SUFFIX_MATCH -> new TextMatch.Suffix(header.getSuffixMatch());
            case CONTAINS_MATCH -> new TextMatch.Contains(header.getContainsMatch());
            case SAFE_REGEX_MATCH ->
                new TextMatch.Regex(
                        pattern(header.getSafeRegexMatch().getRegex(), problems.under("safe_regex_match.regex")));
            case RANGE_MATCH ->
                new TextMatch.Range(
                        header.getRangeMatch().getStart(),
                        header.getRangeMatch().getEnd());
            case PRESENT_MATCH, HEADERMATCHSPECIFIER_NOT_SET -> {
                sense = isToBeThere(header) ? Sense.IS : Sense.IS_NOT;
                yield new TextMatch.Present();
            }
        };
        if (header.getTreatMissingHeaderAsEmpty() && match.matches("")) {
            problems.add(
                    "treat_missing_header_as_empty",
                    "true (expected: false, as an empty value is one that is looked for)");
        }
        return FieldMatch.header(header.getName(), match, sense);
    }

    private static boolean isToBeThere(HeaderMatcher header) {
        boolean there = !header.hasPresentMatch() || header.getPresentMatch();
        return there != header.getInvertMatch();
    }

    private static FieldMatch parameter(QueryParameterMatcher parameter, Problems problems) {
        return switch (parameter.getQueryParameterMatchSpecifierCase()) {
            case STRING_MATCH ->
                new FieldMatch(
                        parameter.getName(),
                        text(parameter.getStringMatch(), problems.under("string_match")),
                        Sense.IS);
            case PRESENT_MATCH ->
                new FieldMatch(
                        parameter.getName(),
                        new TextMatch.Present(),
                        parameter.getPresentMatch() ? Sense.IS : Sense.IS_NOT);
            case QUERYPARAMETERMATCHSPECIFIER_NOT_SET ->
                new FieldMatch(parameter.getName(), new TextMatch.Present(), Sense.IS);
        };
    }

    static TextMatch text(StringMatcher matcher, Problems problems) {
        boolean folded = matcher.getIgnoreCase();
        return switch (matcher.getMatchPatternCase()) {
            case EXACT ->
                folded ? new TextMatch.ExactIgnoringCase(matcher.getExact()) : new TextMatch.Exact(matcher.getExact());
            case PREFIX ->
                folded
                        ? quoted(matcher.getPrefix(), "(?is)", ".*", problems.under("prefix"))
                        : new TextMatch.Prefix(matcher.getPrefix());
            case SUFFIX ->
                folded
                        ? quoted(matcher.getSuffix(), "(?is).*", "", problems.under("suffix"))
                        : new TextMatch.Suffix(matcher.getSuffix());
            case CONTAINS ->
                folded
                        ? quoted(matcher.getContains(), "(?is).*", ".*", problems.under("contains"))
                        : new TextMatch.Contains(matcher.getContains());
            case SAFE_REGEX ->
                new TextMatch.Regex(pattern(matcher.getSafeRegex().getRegex(), problems.under("safe_regex.regex")));
            case CUSTOM, MATCHPATTERN_NOT_SET -> {
                problems.add("", "no pattern (expected: exact, prefix, suffix, contains or safe_regex)");
                yield new TextMatch.Regex(NOTHING);
            }
        };
    }

    private static TextMatch quoted(String text, String before, String after, Problems problems) {
        return new TextMatch.Regex(pattern(before + Pattern.quote(text) + after, problems));
    }
}
