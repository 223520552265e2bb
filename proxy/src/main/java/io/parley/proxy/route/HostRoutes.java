package io.parley.proxy.route;

import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.RequestMatch;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host, of which the first that matches is taken. A path tells which of them can match at all: those for just this path
 * are looked up, those for what it begins with are walked to, and only regular expressions are tried one by one.
 *
 * @param <T> what stands for a route
 */
final class HostRoutes<T> {
    /** A route and which requests it is for. */
    record Entry<T>(RequestMatch match, T target) {}

    private static final int[] NONE = {};

    private final List<Entry<T>> all;
    private final Map<String, int[]> exact = new HashMap<>();
    private final PrefixTrie prefixes = new PrefixTrie();
    private int[] patterns = NONE;

    HostRoutes(List<Entry<T>> all) {
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            switch (all.get(i).match.path()) {
                case PathMatch.Exact(var path) -> exact.put(path, with(exact.getOrDefault(path, NONE), i));
                case PathMatch.Prefix(var prefix) -> prefixes.add(prefix, i);
                case PathMatch.Segments(var prefix) -> prefixes.add(prefix.equals("/") ? "" : prefix, i);
                case PathMatch.Regex _ -> patterns = with(patterns, i);
            }
        }
    }

    private static int[] with(int[] numbers, int last) {
        int[] more = Arrays.copyOf(numbers, numbers.length + 1);
        more[numbers.length] = last;
        return more;
    }

    /** The only route there is, if it is for every request; else null. */
    @Nullable
    T only() {
        return all.size() == 1 && all.getFirst().match.isUnconditional() ? all.getFirst().target : null;
    }

    @Nullable
    T find(RequestView request, IntSupplier chance) {
        String path = request.path();
        List<int[]> lists = prefixes.find(path);
        lists.add(exact.getOrDefault(path, NONE));
        lists.add(patterns);
        int[] next = new int[lists.size()];
        for (int number = first(lists, next); number >= 0; number = first(lists, next)) {
            Entry<T> entry = all.get(number);
            if (matches(entry.match, path, request, chance)) {
                return entry.target;
            }
        }
        return null;
    }

    /** Takes the smallest number that has not been taken; -1 if all have. Each list is in ascending order. */
    private static int first(List<int[]> lists, int[] next) {
        int from = -1;
        for (int i = 0; i < next.length; i++) {
            int[] list = lists.get(i);
            if (next[i] < list.length && (from < 0 || list[next[i]] < lists.get(from)[next[from]])) {
                from = i;
            }
        }
        return from < 0 ? -1 : lists.get(from)[next[from]++];
    }

    private static boolean matches(RequestMatch match, String path, RequestView request, IntSupplier chance) {
        return matches(match.path(), path)
                && (match.method() == null || match.method().equals(request.method()))
                && allFields(match.fields(), request)
                && allParameters(match.query(), request.target())
                && (match.perMillion() >= RequestMatch.ALL || chance.getAsInt() < match.perMillion());
    }

    private static boolean matches(PathMatch match, String path) {
        return switch (match) {
            case PathMatch.Exact(var exact) -> path.equals(exact);
            case PathMatch.Prefix(var prefix) -> path.startsWith(prefix);
            case PathMatch.Segments(var prefix) ->
                prefix.equals("/")
                        || (path.startsWith(prefix)
                                && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/'));
            case PathMatch.Regex(var pattern) -> pattern.matches(path);
        };
    }

    private static boolean allFields(List<FieldMatch> fields, RequestView request) {
        for (FieldMatch field : fields) {
            if (!field.isFulfilledBy(request.named(field.name()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean allParameters(List<FieldMatch> parameters, String target) {
        for (FieldMatch parameter : parameters) {
            if (!parameter.isFulfilledBy(Queries.first(target, parameter.name()))) {
                return false;
            }
        }
        return true;
    }
}
