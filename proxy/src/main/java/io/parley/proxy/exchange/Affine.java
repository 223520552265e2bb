package io.parley.proxy.exchange;

import io.netty.util.AsciiString;
import io.parley.proxy.AddressText;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.http.Affinity;
import io.parley.proxy.http.WeightedCluster;
import io.parley.proxy.route.Queries;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What keeps requests together. */
sealed interface Affine {
    /** The endpoint that the request belongs to; null if there is none at all. */
    @Nullable
    LiveEndpoint choose(Cluster cluster, Collection<LiveEndpoint> tried);

    /** The share that the request belongs to, whatever the weights say; null if they decide. */
    @Nullable
    WeightedCluster share(List<WeightedCluster> shares, Clusters clusters);

    /** Tells the client, in the answer of this endpoint, what to send next time. */
    void mark(Fields answer, @Nullable LiveEndpoint served);

    /**
     * Requests with the same key go to the same endpoint.
     *
     * @param cookie set in the answer; null if the client has it already
     */
    record Hashed(String key, @Nullable String cookie) implements Affine {
        @Override
        public @Nullable LiveEndpoint choose(Cluster cluster, Collection<LiveEndpoint> tried) {
            return cluster.choose(tried, key);
        }

        @Override
        public @Nullable WeightedCluster share(List<WeightedCluster> shares, Clusters clusters) {
            return null;
        }

        @Override
        public void mark(Fields answer, @Nullable LiveEndpoint served) {
            if (cookie != null) {
                answer.add(SET_COOKIE, new AsciiString(cookie));
            }
        }
    }

    /**
     * A session: the client carries a token of its endpoint, and gets another if that is gone.
     *
     * @param token null if the client has none that holds
     * @param now by the clock
     */
    record Session(Affinity.Session session, @Nullable SessionToken token, long now) implements Affine {
        @Override
        public @Nullable LiveEndpoint choose(Cluster cluster, Collection<LiveEndpoint> tried) {
            LiveEndpoint own = token == null ? null : cluster.byToken(token.endpoint());
            return own == null || tried.contains(own) ? cluster.choose(tried) : own;
        }

        @Override
        public @Nullable WeightedCluster share(List<WeightedCluster> shares, Clusters clusters) {
            if (token != null) {
                for (WeightedCluster share : shares) {
                    Cluster cluster = clusters.find(share.name()).orElse(null);
                    if (cluster != null && cluster.byToken(token.endpoint()) != null) {
                        return share;
                    }
                }
            }
            return null;
        }

        @Override
        public void mark(Fields answer, @Nullable LiveEndpoint served) {
            if (served == null) {
                return;
            }
            boolean same = token != null && token.endpoint().equals(served.token());
            // Each answer moves the end of a session that ends when it is not used.
            if (same && session.idle().isZero()) {
                return;
            }
            SessionToken next = new SessionToken(served.token(), same && token != null ? token.began() : now, now);
            String text = next.text(session);
            switch (session.carrier()) {
                case Affinity.Header(var name) -> answer.set(new AsciiString(name), new AsciiString(text));
                case Affinity.Cookie cookie -> {
                    Duration left = cookie.life().minusMillis(now - next.began());
                    answer.add(SET_COOKIE, new AsciiString(Affine.cookie(cookie, text, left)));
                }
            }
        }
    }

    AsciiString SET_COOKIE = AsciiString.cached("set-cookie");

    /** The first of these that the request has; null if it has none. */
    static @Nullable Affine of(List<Affinity> all, RequestView request, HttpLoop loop) {
        for (Affinity one : all) {
            Affine found = of(one, request, loop);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable Affine of(Affinity one, RequestView request, HttpLoop loop) {
        return switch (one) {
            case Affinity.Header(var name) -> ofKey(request.field(name));
            case Affinity.Query(var name) -> ofKey(Queries.first(request.target(), name));
            case Affinity.Source() ->
                ofKey(AddressText.host(request.provenance().client()));
            case Affinity.Session session -> {
                long time = loop.time();
                yield new Session(session, SessionToken.read(token(session, request), session, time), time);
            }
            case Affinity.Cookie wanted -> {
                String value = cookie(request.field("cookie"), wanted.name());
                yield value == null
                        ? fresh(wanted, Long.toHexString(loop.chance().nextLong()))
                        : ofKey(value);
            }
        };
    }

    private static @Nullable String token(Affinity.Session session, RequestView request) {
        return switch (session.carrier()) {
            case Affinity.Header(var name) -> request.field(name);
            case Affinity.Cookie wanted -> cookie(request.field("cookie"), wanted.name());
        };
    }

    private static @Nullable Affine ofKey(@Nullable String key) {
        return key == null ? null : new Hashed(key, null);
    }

    private static Affine fresh(Affinity.Cookie wanted, String key) {
        return new Hashed(key, cookie(wanted, key, wanted.life()));
    }

    /** With what is {@code left} of its life, if that has an end. */
    private static String cookie(Affinity.Cookie wanted, String value, Duration left) {
        String age = wanted.life().isZero() ? "" : "; Max-Age=" + left.toSeconds();
        return wanted.name() + "=" + value + "; Path=" + wanted.path() + age + "; HttpOnly";
    }

    private static @Nullable String cookie(@Nullable String field, String name) {
        if (field == null) {
            return null;
        }
        for (String pair : field.split("[;,]", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                return pair.substring(equals + 1).strip();
            }
        }
        return null;
    }
}
