package io.parley.resource.gateway;

import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which requests, what is done to them, and where they go. Also a rule of a GRPCRoute, whose matches are requests of a kind.
 *
 * @param name null if it has none
 * @param matches any of these; none only if those of a stored rule would not be let in today
 * @param timeout of the whole exchange; zero for none, null for the usual
 * @param backendTimeout of each try; zero for none, null for the usual
 */
public record HttpRule(
        @Nullable String name,
        List<HttpMatch> matches,
        List<RouteFilter> filters,
        List<Backend> backends,
        @Nullable Duration timeout,
        @Nullable Duration backendTimeout,
        @Nullable Retry retry,
        @Nullable Session session) {
    /** A backend, and what is done only to requests that go there. */
    public record Backend(BackendRef ref, List<RouteFilter> filters) {
        public Backend {
            filters = List.copyOf(filters);
        }
    }

    static final HttpRule EMPTY =
            new HttpRule(null, List.of(HttpMatch.ANY), List.of(), List.of(), null, null, null, null);

    private static final int MOST_MATCHES = 64;
    private static final int MOST_FILTERS = 16;
    private static final int MOST_BACKENDS = 16;

    public HttpRule {
        matches = List.copyOf(matches);
        filters = List.copyOf(filters);
        backends = List.copyOf(backends);
    }

    static HttpRule read(Fields fields) {
        RuleParts parts = new RuleParts(fields);
        List<HttpMatch> matches = parts.read("matches", List.of(), field -> matches(field, HttpMatch::read));
        FilterReader reader = FilterReader.http(matches);
        List<RouteFilter> filters = reader.readRule(fields.at("filters"));
        List<Backend> backends = backends(fields.at("backendRefs"), reader);
        if (!backends.isEmpty() && filters.stream().anyMatch(RouteFilter.Redirect.class::isInstance)) {
            fields.fail("backendRefs", "not allowed here (the rule redirects)");
        }
        Session session = session(parts);
        Field timeouts = fields.at("timeouts");
        Times times = timeouts.object(Times::read);
        return new HttpRule(
                Texts.section(fields.at("name")),
                matches,
                parts.with(filters),
                backends,
                times == null ? null : times.request,
                times == null ? null : times.backendRequest,
                fields.at("retry").object(Retry::read),
                session);
    }

    static HttpRule readGrpc(Fields fields) {
        RuleParts parts = new RuleParts(fields);
        List<HttpMatch> matches = parts.read("matches", List.of(), field -> matches(field, GrpcMatches::read));
        FilterReader reader = FilterReader.grpc();
        List<RouteFilter> filters = reader.readRule(fields.at("filters"));
        Session session = session(parts);
        return new HttpRule(
                Texts.section(fields.at("name")),
                matches,
                parts.with(filters),
                backends(fields.at("backendRefs"), reader),
                null,
                null,
                null,
                session);
    }

    private static List<HttpMatch> matches(Field field, Function<Fields, HttpMatch> reader) {
        List<HttpMatch> found = Texts.atMost(MOST_MATCHES, field, field.objects(reader));
        return found.isEmpty() ? List.of(HttpMatch.ANY) : found;
    }

    private static @Nullable Session session(RuleParts parts) {
        return parts.read(
                        "sessionPersistence",
                        Optional.<Session>empty(),
                        field -> Optional.ofNullable(field.object(Session::read)))
                .orElse(null);
    }

    private static List<Backend> backends(Field field, FilterReader reader) {
        return Texts.atMost(
                MOST_BACKENDS,
                field,
                field.objects(ref -> new Backend(BackendRef.read(ref), reader.readBackend(ref.at("filters")))));
    }

    static List<RouteFilter> limited(Field field, List<RouteFilter> filters) {
        return Texts.atMost(MOST_FILTERS, field, filters);
    }

    private record Times(
            @Nullable Duration request, @Nullable Duration backendRequest) {
        static Times read(Fields fields) {
            Duration request = fields.at("request").duration(DurationRange.NOT_NEGATIVE);
            Duration backendRequest = fields.at("backendRequest").duration(DurationRange.NOT_NEGATIVE);
            if (request != null
                    && backendRequest != null
                    && !request.isZero()
                    && backendRequest.compareTo(request) > 0) {
                fields.fail("backendRequest", "longer than request (expected: at most as long)");
            }
            return new Times(request, backendRequest);
        }
    }
}
